// How long after its answer a change is shown, and after its opening a stream delivers. The interface states neither: where
// a case fails, or lacks its precondition, both are measured, and each later change and stream is followed by the time.
import type { GatewayConnection } from "../client/connection.ts";
import { readSetting, type SettingName, setting, writeSetting } from "../settings/setting.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { operation, OperationId } from "../../interface/operations/index.ts";
import { seededRandom } from "../suite/random.ts";
import { Recorder } from "./recorder.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import { CaseScratch } from "./scratch.ts";
import type { FinishedCase } from "./caseRun.ts";

/** Later than this a change counts as one that was not made. */
const mostMs = 1000;
const everyMs = 20;
/** Entries of a log remain. */
const entryEveryMs = 100;
/** Gateways lock a name or an address after some wrong sign-ins. */
const signInEveryMs = 250;
/** A gateway that shows changes at a tick of its own shows one sooner than another. */
const samples = 3;
/** One change may be shown later than another. */
const wholeOf = (measuredMs: number): number => Math.ceil(2 * measuredMs) + 100;

/** Settings with a member that can be one higher for a moment: a case that touches them has them alone. */
const harmless = ["ssh", "log", "event-configuration", "upgrade-configuration"] as const;
const isHarmless = (domain: StateDomain): domain is (typeof harmless)[number] =>
  harmless.some((name) => name === domain);

/** What a measurement works with. */
interface Bench {
  readonly gateway: GatewayUnderTest;
  readonly scratch: CaseScratch;
}
type Group = ReturnType<typeof operation>["group"];

export class ShownAfter {
  readonly #connection: GatewayConnection;
  readonly #measured = new Map<string, Promise<void>>();

  constructor(connection: GatewayConnection) {
    this.#connection = connection;
  }

  /** Runs the case; once more where it may have read what the gateway did not show yet. */
  async run(
    testCase: TestCase,
    attempt: () => Promise<FinishedCase>,
    signal: AbortSignal,
  ): Promise<FinishedCase> {
    const { transport } = this.#connection;
    const before = this.#times();
    const first = await attempt();
    const { verdict, reasonCode } = first.record;
    const isOpen =
      verdict === "fail" || reasonCode === "precondition-unmet" || reasonCode === "undecided-check";
    if (!isOpen || signal.aborted) return first;
    await this.#measure(testCase);
    if (this.#times() === before) return first;
    const again = await attempt();
    const { shown, deliversAfterMs } = transport;
    const late = [
      ...(shown.longestMs > 0 ? [`a change is shown up to ${shown.longestMs} ms after its answer`] : []),
      ...(deliversAfterMs > 0 ? [`a stream delivers from ${deliversAfterMs} ms after its opening on`] : []),
    ];
    again.record.notes.push(`run again: ${late.join(", and ")}; each is followed by that time`);
    return again;
  }

  #times(): string {
    const { shown, deliversAfterMs } = this.#connection.transport;
    return `${shown.text()} ${deliversAfterMs}`;
  }

  /** Measures what was not measured yet and concerns the case. */
  async #measure({ touches, group }: TestCase): Promise<void> {
    const once = (what: string, measure: (bench: Bench) => Promise<void>): Promise<void> => {
      const begun = this.#measured.get(what) ?? this.#at(measure);
      this.#measured.set(what, begun);
      return begun;
    };
    await once("accounts", (bench) => this.#measureAccounts(bench));
    await once("tags", (bench) => this.#measureTags(bench));
    await once("tag streams", (bench) => this.#measureTagStream(bench));
    if (group === "events") await once("event streams", (bench) => this.#measureEventStream(bench));
    for (const name of touches.filter(isHarmless))
      await once(name, ({ gateway }) => this.#measureSetting(gateway, name));
  }

  /** A gateway on which something cannot be measured is tested without its pause. */
  async #at(measure: (bench: Bench) => Promise<void>): Promise<void> {
    const { profile, clock } = this.#connection;
    const gateway = this.#connection.view(new Recorder(), new AbortController().signal);
    const scratch = new CaseScratch(
      gateway,
      profile,
      seededRandom(Math.round(clock.epochMs()), "shown after"),
    );
    await measure({ gateway, scratch }).catch(() => undefined);
    await scratch.clean(() => undefined);
  }

  /** Reads until the change is shown; one that the first reading shows is not late. */
  async #untilShown(
    changed: OperationId | Group,
    isShown: () => Promise<boolean>,
    pauseMs = everyMs,
  ): Promise<void> {
    const { clock, transport } = this.#connection;
    const answeredMs = clock.nowMs();
    let readMs = answeredMs;
    // The last reading begins after the time: on a slow gateway few fit into it.
    for (let readings = 1; readMs - answeredMs < mostMs; readings++) {
      readMs = clock.nowMs();
      if (await isShown()) {
        transport.shown.measured(changed, readings === 1 ? 0 : wholeOf(readMs - answeredMs));
        return;
      }
      await clock.delay(pauseMs);
    }
  }

  #offers(...operations: Parameters<typeof isOffered>[1][]): boolean {
    return operations.every((one) => isOffered(this.#connection.profile, one));
  }

  /** Creates and updates a role and a user, and reads the lists; changes the user's password, and signs in. */
  async #measureAccounts({ gateway: { admin, anonymous }, scratch }: Bench): Promise<void> {
    if (!this.#offers("createRole", "listRoles")) return;
    const permissions = this.#connection.profile.permissions.slice(0, 1);
    const role = await scratch.role(permissions);
    const path = { id: role.id };
    const listed = async (): Promise<{ description?: unknown } | undefined> =>
      (await admin.call("listRoles")).data().find(({ id }) => id === role.id);
    await this.#untilShown("roles", async () => (await listed()) !== undefined);
    for (let sample = 1; this.#offers("updateRole") && sample < samples; sample++) {
      const description = `sample ${sample}`;
      const json = { name: role.name, description, permissions: [...role.permissions] };
      if ((await admin.call("updateRole", { path, json })).accepted)
        await this.#untilShown("roles", async () => (await listed())?.description === description);
    }
    if (!this.#offers("addUser", "listUsers", "updateUserPassword")) return;
    const { id, name, password } = await scratch.user({ roles: [role.id] });
    const listedUser = async (): Promise<{ email?: unknown } | undefined> =>
      (await admin.call("listUsers")).data().find((user) => user.id === id);
    const signsIn = async (given: string): Promise<boolean> =>
      (await anonymous.call("signIn", { json: { name, password: given } })).accepted;
    // At the same time: what is awaited second could be over before it is measured.
    await Promise.all([
      this.#untilShown("users", () => signsIn(password), signInEveryMs),
      this.#untilShown("users", async () => (await listedUser()) !== undefined),
    ]);
    for (let sample = 1; this.#offers("updateUser") && sample < samples; sample++) {
      const email = `sample${sample}@example.org`;
      if ((await admin.call("updateUser", { path: { id }, json: { email } })).accepted)
        await this.#untilShown("users", async () => (await listedUser())?.email === email);
    }
    const newPassword = `${password}2`;
    if ((await admin.call("updateUserPassword", { path: { id }, json: { newPassword } })).accepted)
      await this.#untilShown(
        "users",
        async () => !(await signsIn(password)) && (await signsIn(newPassword)),
        signInEveryMs,
      );
  }

  /** Creates virtual tags, and reads the list and writes until they are shown and written. */
  async #measureTags({ gateway: { admin }, scratch }: Bench): Promise<void> {
    if (!this.#connection.profile.capabilities.has("virtual-tags")) return;
    for (let sample = 0; sample < samples; sample++) {
      const { path, tagName } = await scratch.virtualTag({ dataType: "int32" });
      const json = { dataType: "int32", dataValue: sample } as const;
      await this.#untilShown("tags", async () => {
        const isListed = (await admin.call("listTags")).data().some((tag) => tag.tagName === tagName);
        return isListed && (await admin.call("writeTag", { path, json })).accepted;
      });
    }
  }

  /** Sets a whole number of the setting to one more and back. */
  async #measureSetting(gateway: GatewayUnderTest, name: SettingName): Promise<void> {
    const before = await readSetting(gateway, name);
    const [member, value] = Object.entries(before ?? {}).find(([, one]) => Number(one) > 0) ?? [];
    if (before === undefined || member === undefined || typeof value !== "number") return;
    // Of this operation alone: a list of the same group may be shown later than its settings.
    const { write } = setting(name);
    for (const members of [{ ...before, [member]: value + 1 }, before]) {
      if ((await writeSetting(gateway, name, members)).rejected) return;
      await this.#untilShown(
        write,
        async () => (await readSetting(gateway, name))?.[member] === members[member],
      );
    }
  }

  /** Writes a tag again and again, until a stream of its changes has sent one of the values. */
  async #measureTagStream({ gateway: { admin }, scratch }: Bench): Promise<void> {
    const { capabilities } = this.#connection.profile;
    if (!capabilities.has("tag-stream") || !capabilities.has("virtual-tags")) return;
    const { path, tagName } = await scratch.virtualTag({ dataType: "int32" });
    const write = (dataValue: number): Promise<unknown> =>
      admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
    await write(0);
    await using stream = await admin.openTagStream(path, { tags: tagName, onChanged: true });
    await this.#untilDelivered(everyMs, write, () =>
      stream.received.map(({ value }) => Number(value.dataValue)).find((value) => value > 0),
    );
  }

  /** Creates entries of the log again and again, until a stream has sent one of them. */
  async #measureEventStream({ gateway: { admin }, scratch }: Bench): Promise<void> {
    if (!this.#offers("createEvent")) return;
    const [known] = (await admin.call("getEvents", { query: { limit: 1 } })).body().data;
    if (known === undefined) return;
    const { category, event, origin, severity } = known;
    const marker = scratch.name("event");
    await using stream = await admin.openEventStream();
    const create = (number: number): Promise<unknown> =>
      admin.call("createEvent", {
        json: { category, event, origin, severity, message: `${marker} ${number}` },
      });
    await this.#untilDelivered(entryEveryMs, create, () => {
      const found = stream.received.find(({ record }) => record.message.startsWith(`${marker} `));
      return found && Number(found.record.message.slice(marker.length));
    });
  }

  /** Makes changes 1, 2, 3 and so on until the number of one has come. */
  async #untilDelivered(
    pauseMs: number,
    change: (number: number) => Promise<unknown>,
    first: () => number | undefined,
  ): Promise<void> {
    const { clock, transport } = this.#connection;
    const openedMs = clock.nowMs();
    const changedMs: number[] = [];
    while (clock.nowMs() - openedMs < mostMs) {
      changedMs.push(clock.nowMs() - openedMs);
      await change(changedMs.length);
      await clock.delay(pauseMs);
      const number = first();
      if (number === undefined) continue;
      const afterMs = number > 1 ? wholeOf(changedMs[number - 1] ?? 0) : 0;
      transport.deliversAfterMs = Math.max(transport.deliversAfterMs, afterMs);
      return;
    }
  }
}
