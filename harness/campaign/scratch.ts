// Temporary things a case works with. What the interface cannot remove is disabled.
import { Answer } from "../transport/answer.ts";
import { randomBytes } from "node:crypto";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Profile } from "../profile/profile.ts";
import type { Scratch } from "../suite/context.ts";
import { scratchPrefix } from "../suite/scratchPrefix.ts";
import type { Outside } from "../transport/outside.ts";
import type { Random } from "../suite/random.ts";
import { type Reuse, ScratchAccounts } from "./scratchAccounts.ts";

/** Of a name in what could not be undone. */
const shownCharacters = 40;

export class CaseScratch implements Scratch {
  readonly #gateway: GatewayUnderTest;
  readonly #profile: Profile;
  readonly #outside: Outside | undefined;
  readonly #accounts: ScratchAccounts;
  readonly #undo: Undo[] = [];

  constructor(gateway: GatewayUnderTest, profile: Profile, random: Random, outside?: Outside, reuse?: Reuse) {
    this.#gateway = gateway;
    this.#profile = profile;
    this.#outside = outside;
    this.#accounts = new ScratchAccounts({
      gateway,
      profile,
      random,
      outside,
      reuse,
      name: (kind) => this.name(kind),
      undo: (what, action) => this.undo(what, action),
    });
  }

  name(kind: string): string {
    // Not from the seed: a run with the same seed must not meet the names that an earlier one could not remove.
    const made = (): string => randomBytes(5).toString("hex");
    const suffix = this.#outside?.read("scratch name", made) ?? made();
    return `${scratchPrefix}${kind.slice(0, 20)}-${suffix}`;
  }

  readonly role: Scratch["role"] = (...given) => this.#accounts.role(...given);
  readonly user: Scratch["user"] = (options) => this.#accounts.user(options);
  readonly leaveLater: Scratch["leaveLater"] = (kind, account) => this.#accounts.leaveLater(kind, account);

  async virtualTag(options: Parameters<Scratch["virtualTag"]>[0]): ReturnType<Scratch["virtualTag"]> {
    const { provider, source } = this.#profile.virtualTags;
    const tag = {
      prvdName: provider,
      srcName: source,
      tagName: `${this.name("tag")}${options.suffix ?? ""}`,
    };
    const { admin } = this.#gateway;
    const answer = await admin.call("createVirtualTag", {
      json: {
        ...tag,
        dataType: options.dataType as "uint8",
        access: options.access ?? "rw",
        ...(options.dataSize === undefined ? {} : { dataSize: options.dataSize }),
        ...(options.dataUnit === undefined ? {} : { dataUnit: options.dataUnit }),
      },
    });
    answer.body();
    this.removeTagLater(tag);
    return { ...tag, path: { provider, source, tag: tag.tagName } };
  }

  removeTagLater({ prvdName, srcName, tagName }: Parameters<Scratch["removeTagLater"]>[0]): void {
    const { admin } = this.#gateway;
    this.undo(`virtual tag ${tagName.slice(0, shownCharacters)}`, async () => {
      const removal = await admin.call("deleteVirtualTag", { json: { prvdName, srcName, tagName } });
      if (removal.accepted) return removal;
      const listed = await admin.call("listTags");
      const isGone =
        listed.accepted &&
        !listed
          .data()
          .some((one) => one.tagName === tagName && one.prvdName === prvdName && one.srcName === srcName);
      return isGone ? undefined : removal;
    });
  }

  undo(what: string, action: () => Promise<unknown>): void {
    this.#undo.push({ what, action });
  }

  /**
   * Undoes everything, last first; a failure does not stop the rest and is passed on. What the gateway rejected is undone at
   * the end: a role may be in use until its user is removed.
   */
  async clean(failed: (what: string, reason: string) => void): Promise<void> {
    const attempt = async ({ what, action }: Undo): Promise<string | undefined> => {
      try {
        const result = await action();
        return result instanceof Answer && !result.accepted ? result.summary() : undefined;
      } catch (thrown) {
        failed(what, thrown instanceof Error ? thrown.message : String(thrown));
        return undefined;
      }
    };
    const rejected: Undo[] = [];
    for (const undo of this.#undo.reverse()) if ((await attempt(undo)) !== undefined) rejected.push(undo);
    for (const undo of rejected) {
      const reason = await attempt(undo);
      if (reason !== undefined) failed(undo.what, reason);
    }
  }
}

interface Undo {
  readonly what: string;
  readonly action: () => Promise<unknown>;
}
