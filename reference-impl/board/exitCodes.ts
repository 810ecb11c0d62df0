/** Exit code of the gateway process that requests a reboot from the board. */
export const rebootExitCode = 75;
