// Switches behind programs of the system: stand-ins on the path keep state and print as the programs do.
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { switchConfirmed } from "./power.ts";
import { makeSwitch } from "./switch.ts";

afterEach(() => void vi.unstubAllEnvs());

const preamble = `
d=\${0%/*} n=\${0##*/} previous= last=
fail() { printf '%s\\n' "$1" >&2; exit 1; }
[ "$1" = --version ] || (IFS='|'; echo "$n|$*" >> "$d/calls")
for word; do
  case $previous in -l) location=$word ;; -p) port=$word ;; -a) action=$word ;; --chip) chip=$word ;; esac
  previous=$word last=$word
done
`;

/** The path begins with a folder of these programs. */
async function programs(
  bodies: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly calls: () => Promise<string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${preamble}${body}`);
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
  return {
    calls: async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** A hub of USB 3 that is two hubs; port 3 has no switch of its own. */
const uhubctl = `
[ "$location" = 1-1.4 ] || fail "No compatible devices detected at location $location!
Run with -h to get usage info."
show() {
  state=$(cat "$d/port$port" 2>/dev/null)
  echo "$1 status for hub 2-1.4 [2109:0817 VIA Labs, Inc. USB3.0 Hub, USB 3.00, 4 ports, ppps]"
  if [ "$state" = off ] && [ "$port" != 3 ]; then echo "  Port $port: 0080 off"; else echo "  Port $port: 02a0 power 5gbps Rx.Detect"; fi
  echo "$1 status for hub 1-1.4 [2109:2817 VIA Labs, Inc. USB2.0 Hub, USB 2.10, 4 ports, ppps]"
  if [ "$state" = off ]; then echo "  Port $port: 0000 off"; else echo "  Port $port: 0503 power highspeed enable connect [0483:3748 off the shelf]"; fi
}
show Current
[ -z "$action" ] || { echo "$action" > "$d/port$port"; echo "Sent power $action request"; show New; }
`;

test("a port of a USB hub is switched by uhubctl, and reports its state", async () => {
  await using system = await programs({ uhubctl });
  const port = makeSwitch({ driver: "uhubctl", hub: "1-1.4", port: 2 });
  expect(await port.read?.()).toBe(true);
  expect(await switchConfirmed(port, false)).toBe(false);
  expect(await switchConfirmed(port, true)).toBe(true);
  expect(await system.calls()).toEqual([
    "uhubctl|-l|1-1.4|-p|2",
    "uhubctl|-l|1-1.4|-p|2|-a|off",
    "uhubctl|-l|1-1.4|-p|2",
    "uhubctl|-l|1-1.4|-p|2|-a|on",
    "uhubctl|-l|1-1.4|-p|2",
  ]);
});

test("a missing hub, a port that is fed by its other half, and a missing program are named", async () => {
  await using _system = await programs({ uhubctl });
  const elsewhere = makeSwitch({ driver: "uhubctl", hub: "1-9", port: 2 });
  await expect(elsewhere.read?.()).rejects.toThrow(/^No compatible devices detected at location 1-9!$/);
  const half = makeSwitch({ driver: "uhubctl", hub: "1-1.4", port: 3 });
  await expect(switchConfirmed(half, false, 100)).rejects.toThrow("on for one speed and off for the other");
  vi.stubEnv("PATH", "/nonexistent");
  await expect(elsewhere.set(true)).rejects.toThrow("missing: uhubctl. Fix: apt-get install uhubctl");
});

/** Line 5 is wired to a contact of the relay on line 4: it follows what is driven, not what was asked. */
const gpio = (version: string): Record<string, string> => {
  const isFirst = version.startsWith("1");
  const common = `
[ "$1" != --version ] || { echo "$n (libgpiod) v${version}"; exit 0; }
${isFirst ? `for word; do case $word in gpiochip*) chip=$word ;; --as-is | --numeric | --chip) fail "$n: unrecognized option '$word'" ;; esac; done` : ""}
[ "$chip" = gpiochip0 ] || fail "$n: cannot find GPIO chip character device '$chip'"
held() { kill -0 "$(cat "$d/holder" 2>/dev/null)" 2>/dev/null; }
`;
  return {
    gpioset: `${common}
! held || fail "gpioset: unable to request lines: Device or resource busy"
value=\${last#*=}
case "$*" in *--active-low*) value=$((1 - value)) ;; esac
echo "$value" > "$d/line\${last%=*}"
case "$*" in *--mode=exit*|*"--toggle 0"*) exit 0 ;; esac
echo $$ > "$d/holder"
exec sleep 60
`,
    gpioget: `${common}
! { held && [ "$last" = 4 ]; } || fail "gpioget: error reading GPIO values: Device or resource busy"
${isFirst ? "" : `case "$*" in *--numeric*) ;; *) echo "\\"$last\\"=active"; exit 0 ;; esac`}
cat "$d/line4"
`,
    gpioinfo: `${common}
echo "gpiochip0 - 8 lines:"
for line in 0 1 2 3 4 5; do
  use='       unused   input  active-high'
  [ "$line" != 4 ] || ! held || use='${isFirst ? '"gpioset"  output  active-high [used]' : 'output consumer="gpioset"'}'
  printf '\\tline %3d:      unnamed %s\\n' "$line" "$use"
done
`,
  };
};

test.each([
  ["1.6.3", "gpioset|--mode=signal|gpiochip0|4=1"],
  ["2.2.1", "gpioset|--chip|gpiochip0|4=1"],
])(
  "a line is held by gpioset %s until the next switching, and a contact reports the relay",
  async (version, call) => {
    await using system = await programs(gpio(version));
    const relay = makeSwitch({ driver: "gpio", chip: "gpiochip0", line: 4, feedback: 5 });
    expect(await relay.check?.()).toBe("line 4: unnamed unused input active-high");
    expect(await switchConfirmed(relay, true)).toBe(true);
    expect(await relay.check?.()).toContain("gpioset");
    expect(await switchConfirmed(relay, false)).toBe(false);
    expect(await system.calls()).toContain(call);
    await relay.release?.();
    expect(await relay.check?.()).toBe("line 4: unnamed unused input active-high");
  },
);

test("a line that persists is set once, low for on, and read without becoming an input", async () => {
  await using system = await programs(gpio("2.1"));
  const relay = makeSwitch({ driver: "gpio", chip: "gpiochip0", line: 4, activeLow: true, persists: true });
  expect(await switchConfirmed(relay, true)).toBe(true);
  expect(await switchConfirmed(relay, false)).toBe(false);
  expect((await system.calls()).slice(0, 2)).toEqual([
    "gpioset|--toggle|0|--active-low|--chip|gpiochip0|4=1",
    "gpioget|--as-is|--numeric|--chip|gpiochip0|4",
  ]);
});

test("the tools of libgpiod 1 cannot read an output; a missing chip and a line held by others are named", async () => {
  await using _system = await programs(gpio("1.6.3"));
  const relay = makeSwitch({ driver: "gpio", chip: "gpiochip0", line: 4, persists: true });
  expect(await switchConfirmed(relay, true)).toBeUndefined();
  const elsewhere = makeSwitch({ driver: "gpio", chip: "gpiochip7", line: 4 });
  await expect(elsewhere.set(true)).rejects.toThrow("cannot find GPIO chip character device 'gpiochip7'");
  const first = makeSwitch({ driver: "gpio", chip: "gpiochip0", line: 4 });
  const second = makeSwitch({ driver: "gpio", chip: "gpiochip0", line: 4 });
  await first.set(true);
  await expect(second.set(false)).rejects.toThrow("another gpioset holds the line");
  await first.release?.();
});
