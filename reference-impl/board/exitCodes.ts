/** The gateway process ends with this code when it wants the board to boot it again. */
export const rebootExitCode = 75;
