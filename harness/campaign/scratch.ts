// Temporary things a case works with. What the interface cannot remove is disabled.
import { Answer } from "../transport/answer.ts";
import { randomBytes } from "node:crypto";
import type { GatewayUnderTest, Session } from "../suite/gatewayUnderTest.ts";
import type { Profile } from "../profile/profile.ts";
import type { Scratch, ScratchUser, ScratchUserOptions } from "../suite/context.ts";
import { scratchPrefix } from "../suite/scratchPrefix.ts";
import type { Outside } from "../transport/outside.ts";
import type { Random } from "../suite/random.ts";

export class CaseScratch implements Scratch {
  readonly #gateway: GatewayUnderTest;
  readonly #profile: Profile;
  readonly #random: Random;
  readonly #outside: Outside | undefined;
  readonly #undo: { what: string; action: () => Promise<unknown> }[] = [];

  constructor(gateway: GatewayUnderTest, profile: Profile, random: Random, outside?: Outside) {
    this.#gateway = gateway;
    this.#profile = profile;
    this.#random = random;
    this.#outside = outside;
  }

  name(kind: string): string {
    // Not from the seed: a run with the same seed must not meet the names that an earlier one could not remove.
    const made = (): string => randomBytes(5).toString("hex");
    const suffix = this.#outside?.read("scratch name", made) ?? made();
    return `${scratchPrefix}${kind.slice(0, 20)}-${suffix}`;
  }

  async role(
    permissions: readonly string[],
    texts: Parameters<Scratch["role"]>[1] = {},
  ): ReturnType<Scratch["role"]> {
    const name = `${this.name("role")}${texts.name ?? ""}`;
    const description = `made by the conformance suite${texts.description ?? ""}`;
    const role = (
      await this.#gateway.admin.call("createRole", {
        json: { name, description, permissions: [...permissions] },
      })
    ).data();
    if (this.#profile.extensions.has("deleteRole")) {
      this.undo(`role ${name}`, () => this.#remove("deleteRole", "listRoles", role.id, name));
    }
    return { id: role.id, name };
  }

  async user(options: ScratchUserOptions = {}): Promise<ScratchUser> {
    const roles = options.roles ?? ([(await this.role(options.permissions ?? [])).id] as const);
    const name = `${this.name("user")}${options.suffix ?? ""}`;
    const password = `Pw-${this.#random.word(12)}1!`;
    const expiredAfter = options.expiredAfter ?? "2099-12-31T23:59:59Z";
    const { admin } = this.#gateway;
    const user = (
      await admin.call("addUser", {
        json: { name, password, isActive: options.isActive ?? true, expiredAfter, roles: [...roles] },
      })
    ).data();
    if (this.#profile.extensions.has("deleteUser")) {
      this.undo(`user ${name}`, () => this.#remove("deleteUser", "listUsers", user.id, name));
    } else {
      this.undo(`user ${name}`, async () => {
        const answer = await admin.call("updateUser", { path: { id: user.id }, json: { isActive: false } });
        return answer.accepted || (await this.#isListed("listUsers", name)) ? answer : undefined;
      });
    }
    const signIn = (): Promise<Session> => this.#gateway.signIn(name, password);
    return { id: user.id, name, password, roleId: roles[0], signIn };
  }

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
    this.undo(`virtual tag ${tag.tagName}`, async () => {
      const removal = await admin.call("deleteVirtualTag", { json: tag });
      if (removal.accepted) return removal;
      const listed = await admin.call("listTags");
      const isGone =
        listed.accepted &&
        !listed
          .data()
          .some((one) => one.tagName === tag.tagName && one.prvdName === provider && one.srcName === source);
      return isGone ? undefined : removal;
    });
    return { ...tag, path: { provider, source, tag: tag.tagName } };
  }

  /** A rejected removal is a success when a reset has removed the account already, as with virtual tags. */
  async #remove(
    extension: "deleteRole" | "deleteUser",
    list: "listRoles" | "listUsers",
    id: number,
    name: string,
  ): Promise<Answer | undefined> {
    const { admin } = this.#gateway;
    const answer = await admin.callExtension(extension, { path: { id } });
    return answer.accepted || (await this.#isListed(list, name)) ? answer : undefined;
  }

  /** True as well where the list cannot be read. */
  async #isListed(list: "listRoles" | "listUsers", name: string): Promise<boolean> {
    const listed = await this.#gateway.admin.call(list);
    return !listed.accepted || listed.data().some((one) => one.name === name);
  }

  undo(what: string, action: () => Promise<unknown>): void {
    this.#undo.push({ what, action });
  }

  /** Undoes everything, last first; a failure does not stop the rest and is passed on. */
  async clean(failed: (what: string, reason: string) => void): Promise<void> {
    for (const { what, action } of this.#undo.reverse()) {
      try {
        const result = await action();
        if (result instanceof Answer && !result.accepted) failed(what, result.summary());
      } catch (thrown) {
        failed(what, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
  }
}
