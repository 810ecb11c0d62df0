// A gateway of a rack with the equipment wired to it: console, power, field devices.
import {
  BootStrategy,
  type Console,
  type HostAddress,
  type NetworkControl,
  type NetworkSettings,
  type RunningGateway,
  commandedNetwork,
  leasedField,
  leasedNetwork,
  leasedPower,
  leasedTime,
  lifeOf,
  makeSwitch,
  openConsole,
  provenPower,
  remoteGateway,
  startTimeServer,
  whyNotReady,
} from "../../rigs/index.ts";
import { UsageError } from "../../record/index.ts";
import type { Profile } from "../profile/profile.ts";
import { consoleSource, type HeldLease } from "./consoleSource.ts";
import { startFieldRack } from "./fieldRack.ts";
import { reportedPower } from "./reportedPower.ts";
import { checkSecrets } from "./secrets.ts";
import type { RemoteRackGateway } from "./rackFile.ts";

/**
 * Opens the console, starts the field devices and boots the gateway until it answers, by the steps that are still
 * missing. Throws an Error that names the failed step or wire, with the last lines of the console.
 */
export async function startRackGateway(
  entry: RemoteRackGateway,
  profile: Profile,
  lease?: HeldLease,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<RunningGateway> {
  await using stack = new AsyncDisposableStack();
  checkSecrets(entry, environment);
  const console =
    entry.console === undefined
      ? undefined
      : stack.use(
          await openConsole(consoleSource(entry.console, lease?.place), {
            beforeSending: () => lease?.check("send to the console"),
          }),
        );
  const field = entry.field === undefined ? undefined : stack.use(await startFieldRack(entry.field));
  const time =
    entry.timeServer === undefined
      ? undefined
      : stack.use(await startTimeServer(timeAddress(entry.timeServer)));
  const life = lifeOf(entry.url);
  const [givesPower, resets] = [entry.power, entry.reset].map((settings) => {
    if (settings === undefined) return undefined;
    const one = makeSwitch(settings, { place: lease?.place?.wish });
    stack.defer(async () => one.release?.());
    return one;
  });
  const switched =
    givesPower === undefined
      ? undefined
      : reportedPower(
          provenPower({
            power: givesPower,
            ...(resets === undefined ? {} : { reset: resets }),
            life,
            aliveWithinMs: profile.patience.bootMs,
          }),
        );
  const power = switched === undefined || lease === undefined ? switched : leasedPower(switched, lease);
  const network =
    entry.network === undefined ? undefined : stack.use(await wholeNetwork(entry.network, lease));
  const { bootMs } = profile.patience;
  const strategy = new BootStrategy({
    life,
    ...(power === undefined ? {} : { power }),
    ...loginOf(entry, console, environment),
    notReady: () => whyNotReady(entry.url),
    deadlinesMs: { booting: bootMs, up: bootMs, ready: bootMs },
  });
  await strategy.bringTo("ready");
  const whole = stack.move();
  return {
    ...remoteGateway(entry.url, profile.gateway),
    name: entry.name,
    ...(console === undefined
      ? {}
      : {
          console: console.lines,
          consoleChunks: console.chunks,
          consoleGaps: console.gaps,
          alarms: console.alarms,
        }),
    ...(power === undefined ? {} : { power }),
    ...(network === undefined ? {} : { network }),
    ...(field === undefined ? {} : { field: lease === undefined ? field : leasedField(field, lease) }),
    ...(time === undefined ? {} : { time: lease === undefined ? time : leasedTime(time, lease) }),
    ...(entry.servers === undefined ? {} : { servers: serversOf(entry.servers) }),
    ...(entry.hostAddress === undefined ? {} : { host: hostAt(entry.hostAddress) }),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

function loginOf(
  { name, login }: RemoteRackGateway,
  console: Console | undefined,
  environment: Readonly<Record<string, string | undefined>>,
) {
  if (console === undefined) return {};
  if (login === undefined) return { console };
  const password = environment[login.passwordEnvironment];
  if (password === undefined) {
    throw new UsageError(
      "RACK_LOGIN",
      `rack: no password for the console of ${name}`,
      `set the environment variable ${login.passwordEnvironment}`,
    );
  }
  return { console, login: { user: login.user, password } };
}

/** The line as it should be: a run that was killed may have left it impaired, and this run leaves it whole. */
async function wholeNetwork(
  settings: NetworkSettings,
  lease: HeldLease | undefined,
): Promise<NetworkControl & AsyncDisposable> {
  const network = commandedNetwork(settings);
  await network.restore();
  return {
    ...(lease === undefined ? network : leasedNetwork(network, lease)),
    [Symbol.asyncDispose]: async () => void (await network.restore()),
  };
}

function timeAddress(text: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(text) ?? [];
  return { host, port: Number(port) };
}

function hostAt(address: string): HostAddress {
  return { address, listen: address === "127.0.0.1" ? address : "0.0.0.0" };
}

function serversOf({
  modbusSlave,
  opcua,
}: NonNullable<RemoteRackGateway["servers"]>): NonNullable<RunningGateway["servers"]> {
  return {
    ...(modbusSlave === undefined ? {} : { modbusSlave }),
    ...(opcua === undefined ? {} : { opcua }),
  };
}
