// Inputs that cannot be used: exit code 2. `docs/errors.md` and `rackproof list errors` are made from this folder.
import { documentErrors } from "./documentErrors.ts";
import type { ErrorEntry } from "./entry.ts";

export const usageErrors = {
  ...documentErrors,
  ALLURE_MISSING: {
    means: "`report --allure` needs the package allure, which is not installed.",
    remedy: "npm install allure@3",
  },
  ARCH_KIND: {
    means: "Only a gateway of kind qemu has a choice of processor.",
    remedy: "run qemu, or omit --arch; in a rack file: arch beside kind: qemu",
  },
  CASE_UNKNOWN: {
    means: "The stored run contains no case with this id.",
    remedy: 'choose a case id from the report of the run; "rackproof list cases" lists all',
  },
  CHALLENGE_NOT_WRITTEN: {
    means: "The challenge cannot be written; an existing file is never overwritten.",
    remedy: "give --out a path that does not exist yet",
  },
  CHALLENGE_UNUSABLE: {
    means: "The file is no challenge, its time has expired, or --seed differs from its seed.",
    remedy: 'ask the certifier for a new file of "rackproof challenge", and omit --seed',
  },
  COMPARE_ONE_GATEWAY: {
    means: "Both sides of a comparison name the same gateway, which would disturb its own comparison.",
    remedy: "name two gateways, or an embedded kind on both sides (process process)",
  },
  CONTRACT_VERIFIER_MISSING: {
    means: "The Pact verifier cannot be loaded on this machine.",
    remedy: "npm ci, or verify the files of contract/ with another Pact library",
  },
  DISPUTE_NOT_WRITTEN: {
    means: "The draft of a dispute cannot be written; an existing file is never overwritten.",
    remedy: "give --out a path that does not exist yet",
  },
  DISPUTE_REQUIREMENT: {
    means: "The case does not test the requirement.",
    remedy: "choose a requirement that the message names",
  },
  EXPECTED_FAILURES_UNKNOWN: {
    means:
      "An expected failure names a requirement or a case that does not exist, or a pair that cannot occur.",
    remedy:
      'correct the id, or remove the entry; "rackproof list requirements" lists all ids and their cases',
  },
  FAULT_NOT_HERE: {
    means: "A fault can be injected only into an embedded gateway; this one is a real or unknown gateway.",
    remedy: "omit --fault, or run an embedded kind (process, container, qemu)",
  },
  FAULT_UNKNOWN: {
    means: "No fault has this id.",
    remedy: 'choose an id that "rackproof list faults" lists',
  },
  FILE_UNREADABLE: {
    means: "A file that an option or argument names cannot be read.",
    remedy: "give the path of an existing, readable file",
  },
  FLEET_DATABASE_MISSING: {
    means: "The command works on a fleet and has no readable address of its database.",
    remedy: "set RACKPROOF_DATABASE to postgres://USER:PASSWORD@HOST:PORT/NAME, or give --database",
  },
  FLEET_GATEWAY_UNKNOWN: {
    means: "No gateway of the fleet has this name or these labels.",
    remedy: 'choose names or labels that "rackproof fleet status" lists',
  },
  FLEET_HOLD_UNKNOWN: {
    means: "The gateway is not reserved, or it is reserved by another owner.",
    remedy: 'check "rackproof who"; --force releases a hold of another owner',
  },
  FLEET_LAB_NAME: {
    means: "The name of a lab has other characters than letters, digits, dot, hyphen and underscore.",
    remedy: "give --lab a name such as berlin-2",
  },
  FLEET_LAB_TAKEN: {
    means: "An agent on another machine, or a later one on this machine, speaks for the lab.",
    remedy: "stop the other agent, or give this one another --lab",
  },
  FLEET_LABELS: {
    means: "Labels are written NAME=VALUE, joined by commas.",
    remedy: 'write labels such as "model=X,site=Y"',
  },
  FLEET_LIMIT: {
    means: "A reservation is longer than the limits of the fleet allow.",
    remedy: 'reserve it for a shorter time; "rackproof fleet limits" shows and sets the limits',
  },
  FLEET_NEWER: {
    means: "The tables of the fleet were written by a newer release.",
    remedy: "install that release of rackproof on this machine too",
  },
  FLEET_NIGHT_TARGET: {
    means: "A night covers either one rack or the fleet.",
    remedy: "give either --rack FILE or --fleet",
  },
  FLEET_NOT_INITIALISED: {
    means: "The database has no tables of a fleet, or those of an older release.",
    remedy: '"rackproof fleet init" creates or updates them',
  },
  FLEET_PAGE_FOLDER: {
    means: "The page of the fleet cannot be written to the folder.",
    remedy: "give --out a folder that this user may write",
  },
  FLEET_ROLE: {
    means: "The user of the database lacks the role for the command.",
    remedy:
      "use a login with the role rackproof_engineer to reserve and run, rackproof_agent for an agent, or rackproof_admin for what belongs to others",
  },
  FLEET_RUN_OPTION: {
    means: "The option concerns a run on this machine; in a fleet the host of the gateway decides on it.",
    remedy: "leave it out, or run the command on the host of the gateway without --fleet",
  },
  FLEET_UNREACHABLE: {
    means: "The database of the fleet does not answer or rejects the user.",
    remedy: "check host, port, user, password and network; docs/fleet.md shows a set-up",
  },
  GATEWAY_HELD: {
    means: "Another command holds the gateway or one of its wires.",
    remedy: "wait until the holder has ended, or end it",
  },
  GATEWAY_SILENT: {
    means: "The gateway at this URL does not answer.",
    remedy: "check URL, port and network, and that the gateway is switched on",
  },
  GATEWAY_UNKNOWN: {
    means: "The word names neither an embedded kind, nor a URL, nor a gateway of the rack file.",
    remedy: "use process, container, qemu, a URL, or with --rack FILE a name of the rack file",
  },
  HISTORY_UNUSABLE: {
    means: "The history of nights cannot be opened, or was written by a newer release.",
    remedy: "give another folder to --out, move the file away, or use the release that wrote it",
  },
  KEY_NOT_WRITTEN: {
    means: "The key pair cannot be written; an existing key is never overwritten.",
    remedy: "give a path that does not exist yet, in a folder that can be written",
  },
  KEY_UNUSABLE: {
    means: "The file contains no Ed25519 key in PEM of the expected kind.",
    remedy: 'give a key that "rackproof key new FILE" made: FILE signs, FILE.pub verifies',
  },
  LEASE_LOST: {
    means: "The lease that RACKPROOF_LEASE names has expired.",
    remedy: "unset RACKPROOF_LEASE to take a new lease",
  },
  LEASE_STORE: {
    means: "The file of leases cannot be opened.",
    remedy: "set RACKPROOF_LEASES to a file that every user of the rack can write",
  },
  LINE_UNUSABLE: {
    means: "`--line` is misspelt, or no impaired line can lead to this gateway from this machine.",
    remedy: "write --line delay=100,loss=2 or --line clean, for process or qemu, as root with socat",
  },
  NOTIFY_FAILED: {
    means: "A channel of the file of --notify could not be reached. The exit code of a night disregards it.",
    remedy:
      '"rackproof notify FILE --test" tries the channels; "rackproof notify FILE" tells the night again',
  },
  NOTIFY_VARIABLE: {
    means: "A variable that the file of --notify names is not set, or has an unusable value.",
    remedy:
      "set the variable in the environment of the command; openssl rand -base64 32 makes a secret for a webhook",
  },
  OPTION_NUMBER: {
    means: "The option takes a whole number.",
    remedy: 'give a whole number; "rackproof COMMAND --help" shows the range',
  },
  OPTION_TIME: {
    means: "The option takes a date.",
    remedy: "give a date such as 2027-03-31",
  },
  PASSWORD_MISSING: {
    means: "The command signs in as an administrator and has no password.",
    remedy: "set RACKPROOF_PASSWORD to the administrator's password",
  },
  PORT_TAKEN: {
    means: "The port cannot be opened.",
    remedy: "give another port to --port; 0 takes a free one",
  },
  PROFILE_MISSING: {
    means: "A gateway on a URL was named without its profile.",
    remedy: 'write a profile with "rackproof profile init URL" and give it',
  },
  PROFILE_NOT_WRITTEN: {
    means: "The profile cannot be written; an existing file is never overwritten.",
    remedy: "give --out a path that does not exist yet, in a folder that can be written",
  },
  PROFILE_PASSWORD: {
    means: "The profile names no administrator's password, and the environment has none.",
    remedy: "set the environment variable that the message names, or credentials.password in the profile",
  },
  LABGRID_PLACE: {
    means:
      "The place of labgrid cannot be acquired: its coordinator does not answer, or it lacks the place or one of its resources.",
    remedy: "check coordinator and exporter with labgrid-client, and the entry labgrid: of the rack file",
  },
  RACK_EMPTY: {
    means: "The rack file lists no gateway.",
    remedy: "add a gateway below gateways:; docs/rack.md shows an example",
  },
  RACK_GATEWAY: {
    means: "The rack file lists no gateway with this name.",
    remedy: "choose a name of the rack file",
  },
  RACK_LOGIN: {
    means: "The rack file signs in on a console, and the variable with the password is not set.",
    remedy: "set the environment variable that the message names",
  },
  RACK_POWER: {
    means: "The gateway has no power switch in the rack file.",
    remedy: "add power: to the gateway; docs/rack.md lists the switches",
  },
  RACK_SECRET: {
    means: "A power switch of the rack file needs a secret, and the environment variable with it is not set.",
    remedy: "set the environment variable that the message names",
  },
  RACK_WITHOUT: {
    means: "`--without` names a part that the gateway does not have in the rack file.",
    remedy: "name parts that the rack file wires: console, power, reset, network, field NAME",
  },
  REDACTION: {
    means:
      "The profile is not that of the run, marks nothing or an unknown operation, or the copy exists already.",
    remedy: "give the profile of the run with its field redact, and --out a folder that does not exist yet",
  },
  REGISTRY_CHANGED: {
    means: "The log of the registry does not begin with the entries that were published.",
    remedy: "restore log.jsonl from a backup; an entry is revoked, never changed or removed",
  },
  REGISTRY_ORIGIN: {
    means: "The name of the registry contains a space or a plus sign.",
    remedy: "give a name such as certificates.example.org/gateways",
  },
  REGISTRY_UNREADABLE: {
    means: "The folder or address contains no readable registry.",
    remedy: 'give the folder or the address of a registry that "rackproof registry build" made',
  },
  REPLAY_OPERATION: {
    means: "A step of the replay file names an operation that does not exist.",
    remedy: 'choose an id that "rackproof list operations" lists',
  },
  REPLAY_STEP: {
    means: "A step of the replay file cannot be sent to these gateways.",
    remedy: "correct the step that the message names, or use the profiles of the first comparison",
  },
  RIG_CONSOLE: {
    means: "The word describes no console.",
    remedy: "use /dev/ttyUSB0@115200, unix:PATH, tcp:HOST:PORT or rfc2217:HOST:PORT@BAUD",
  },
  RIG_FAULT: {
    means: "This kind of field device has no such fault.",
    remedy: "choose one of the faults that the message names",
  },
  RIG_LISTEN: {
    means: "The address to listen on is not HOST:PORT.",
    remedy: "give an address such as 127.0.0.1:1502; port 0 takes a free one",
  },
  RIG_TRACE: {
    means: "`--behaviour trace` was given without recorded values.",
    remedy: "add --trace FILE, a CSV file of milliseconds and values",
  },
  RIG_UNITS: {
    means: "A Modbus unit identifier is not a number from 1 to 247.",
    remedy: "give numbers from 1 to 247, joined by commas",
  },
  RUN_CHANGED: {
    means: "The log of the run was changed after the run.",
    remedy: 'see "rackproof verify-record RUN"; run the campaign again',
  },
  RUN_UNREADABLE: {
    means: "The folder contains no readable record of a run.",
    remedy: "give the folder of a run, which contains campaign.json",
  },
  SELECT_NOTHING: {
    means: "A word of `--select` matches no case, requirement, group or tag.",
    remedy: '"rackproof list cases" lists all ids; * matches any characters',
  },
  SET_UNKNOWN: {
    means: "This release contains no frozen requirement set with this name.",
    remedy: "choose a set that the message names, or use a newer release",
  },
  SIGN_IN_NOT_FOUND: {
    means: "The gateway serves sign-in at none of the published paths.",
    remedy: "write the profile by hand, with binding.operations.signIn; docs/profile.md shows how",
  },
  SIGN_IN_REFUSED: {
    means: "The gateway rejected the sign-in.",
    remedy: "give the administrator's name with --user and the password in RACKPROOF_PASSWORD",
  },
  SIGN_IN_UNREADABLE: {
    means: "The gateway accepted the sign-in, and its answer contains no `data.token`.",
    remedy: "write the profile by hand; docs/profile.md shows how",
  },
  SOAK_DURATION: {
    means: "The duration of a soak is no positive number, or given twice.",
    remedy: "give one of --hours and --minutes, such as --minutes 15",
  },
  SOAK_FOLDER: {
    means: "The folder contains no soak that can be resumed, or the soak in it has ended.",
    remedy: "give the folder of an interrupted soak to --resume",
  },
  SOAK_RESUME_OPTION: {
    means: "A resumed soak has the options of its beginning, and takes no others.",
    remedy: "give --resume alone, or with --json",
  },
  TIME_SERVER_KIND: {
    means: "Of the embedded gateways only the process follows a time server of the run.",
    remedy: "run process, or omit --time-server",
  },
  URL: {
    means: "The argument is not a URL of a gateway.",
    remedy: "give a URL such as https://192.0.2.10",
  },
  VALID_DAYS: {
    means: "A certificate is valid for at least one day.",
    remedy: "give --valid-days at least 1",
  },
  VARIATION_KIND: {
    means: "Variations exist only in the gateway of kind process.",
    remedy: "run process, or omit --variation",
  },
  VARIATION_UNKNOWN: {
    means: "No variation has this id, or two variations exclude each other.",
    remedy: 'choose ids that "rackproof list variations" lists, one for each aspect',
  },
  WATCH_FOLDER: {
    means: "The folder belongs to no run and no night.",
    remedy: "give a folder below runs or nights, or start a run first",
  },
  WATCH_LISTEN: {
    means: "The page cannot be served at this address.",
    remedy: "give HOST:PORT or PORT, such as 127.0.0.1:8090; port 0 takes a free one",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type UsageErrorCode = keyof typeof usageErrors;
