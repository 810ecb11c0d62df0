// What the cases of one gateway left changed: compared with the first reading, and restored once more when the run ends.
import type { LeftChange } from "../../record/index.ts";
import type { Profile } from "../profile/profile.ts";
import { type Members, setting, type SettingName, settingNames } from "../settings/setting.ts";
import { readableState } from "../settings/state.ts";
import type { StateDomain } from "../suite/case.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Snapshot } from "./state.ts";
import { sameValue } from "./sameValue.ts";

const shownCharacters = 200;

interface Touched {
  readonly before: Members;
  readonly baseUrl: string;
  readonly caseId: string;
  /** The last reading. */
  now: Members | undefined;
}

export class LeftState {
  readonly #touched = new Map<StateDomain, Touched>();
  readonly #notUndone: LeftChange[] = [];

  /** A domain that differs after a case; the first reading of it counts. */
  differs(domain: StateDomain, snapshot: Snapshot, caseId: string, now: Members | undefined): void {
    const before = snapshot.readings.get(domain);
    const known = this.#touched.get(domain);
    if (known !== undefined) known.now = now;
    else if (before !== undefined)
      this.#touched.set(domain, { before, baseUrl: snapshot.baseUrl, caseId, now });
  }

  /** Something of a case's own that could not be removed. */
  notUndone(what: string, reason: string, caseId: string): void {
    this.#notUndone.push({ what, from: "absent", to: reason, case: caseId });
  }

  /** Restores once more what differs, and reads it again. */
  async settle(gateway: GatewayUnderTest, profile: Profile): Promise<void> {
    for (const [domain, touched] of this.#touched) {
      const state = readableState(domain);
      if (state === undefined) continue;
      const read = (): Promise<Members | undefined> => state.read(gateway).catch(() => undefined);
      touched.now = (await read()) ?? touched.now;
      if (sameValue(touched.now, touched.before) || typeof state.restore !== "function") continue;
      await state.restore({ gateway, profile, baseUrl: touched.baseUrl }, touched.before).catch(() => []);
      touched.now = (await read()) ?? touched.now;
    }
  }

  /** One entry for each member that differs from its first reading. */
  changes(): LeftChange[] {
    const differing = [...this.#touched].flatMap(([domain, { before, now, caseId }]) =>
      [...new Set([...Object.keys(before), ...Object.keys(now ?? {})])]
        .filter((member) => !sameValue(before[member], now?.[member]))
        .map((member) => ({
          what: shortened(`${domain} ${member}`),
          from: shown(before[member]),
          to: now === undefined ? "cannot be read" : shown(now[member]),
          case: caseId,
          ...(isSetting(domain) ? whyUnrestored(domain, member) : {}),
        })),
    );
    return [...differing, ...this.#notUndone];
  }
}

function whyUnrestored(name: SettingName, member: string): { why?: string } {
  const why = setting(name).unrestored?.[member];
  return why === undefined ? {} : { why };
}

const isSetting = (domain: string): domain is SettingName => (settingNames as string[]).includes(domain);

function shown(value: unknown): string {
  return shortened(value === undefined ? "absent" : JSON.stringify(value));
}

/** The name of an account may be as long as a hostile request made it. */
function shortened(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 1)}…`;
}
