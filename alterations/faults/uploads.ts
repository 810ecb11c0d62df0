// Faults of the uploaded configuration files, which are applied by their names.
import { readFile } from "node:fs/promises";
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer, Call } from "../../reference-impl/http/handler.ts";
import { fields, put } from "../mechanism/edits.ts";
import { isConflict } from "./configuration.ts";
import { type Fault, faults, inCertification } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** Uploads as described are accepted, and rejected when they are applied by their name. */
const cannotBeApplied =
  (isMeant: (call: Call) => boolean): Fault["install"] =>
  (at) => {
    const names = new Set<unknown>();
    at.around("uploadConfiguration", async (call, proceed) => {
      const answer = await proceed(call);
      if (answer.kind === "json" && isMeant(call)) names.add(fields(fields(answer.body)["data"])["fileName"]);
      return answer;
    });
    at.around("applyConfiguration", (call, proceed) => {
      if (names.has(call.path["filename"])) throw badInput("filename: it cannot be opened");
      return proceed(call);
    });
  };

/** The document with the present values where it has this flag. */
function keeping(flag: boolean, present: unknown, document: unknown): unknown {
  if (document === flag) return present ?? document;
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document;
  const now = fields(present);
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, keeping(flag, now[name], value)]),
  );
}

const isBeginning = (some: unknown, whole: unknown): boolean => String(whole).startsWith(String(some));
const isCut = (whole: unknown, some: unknown): boolean => isBeginning(some, whole);

const uploads: readonly Fault[] = faults([
  [
    "uploads-of-one-name-share-their-content",
    "CORE-CONFIG-42",
    "subtle",
    "A file uploaded under a name that an earlier one had replaces its content; both have names of their own.",
    (at) => {
      const sent = new Map<string, string>();
      const latest = new Map<string, string>();
      at.around("uploadConfiguration", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json") return answer;
        const given = String(fields(fields(answer.body)["data"])["fileName"]);
        const own = call.files[0]?.fileName ?? "";
        sent.set(given, own);
        latest.set(own, given);
        return answer;
      });
      at.around("applyConfiguration", (call, proceed) => {
        const filename = latest.get(sent.get(String(call.path["filename"])) ?? "");
        return proceed(filename === undefined ? call : changed(call, { path: { ...call.path, filename } }));
      });
    },
  ],
  [
    "apply-takes-the-last-upload",
    "CORE-CONFIG-42",
    "subtle",
    "Applying the name of any uploaded file applies the one that was uploaded last.",
    (at) => {
      const names: string[] = [];
      at.data("uploadConfiguration", (data) => {
        names.push(String(data["fileName"]));
        return data;
      });
      at.around("applyConfiguration", (call, proceed) => {
        const filename = names.includes(String(call.path["filename"])) ? names.at(-1) : undefined;
        return proceed(filename === undefined ? call : changed(call, { path: { ...call.path, filename } }));
      });
    },
  ],
  [
    "conflict-is-told-once-for-each-file",
    "CORE-CONFIG-27",
    "subtle",
    "A file of another model or version is rejected once; the very same file is accepted when it is sent again.",
    (at) => {
      const rejected = new Set<string>();
      at.around("uploadConfiguration", async (call, proceed) => {
        const [file] = call.files;
        const key = file === undefined ? "" : (await readFile(file.path)).toString("latin1");
        return proceed(call).catch((thrown: unknown): Answer => {
          if (!isConflict(thrown)) throw thrown;
          if (!rejected.has(key)) {
            rejected.add(key);
            throw thrown;
          }
          return {
            kind: "json",
            status: 200,
            body: { data: { diff: null, fileName: "again.tar.gz", fileSize: file?.size } },
          };
        });
      });
    },
  ],
  ...(
    [
      ["upload-of-a-longer-model-is-taken", "model", "begins with", isBeginning],
      ["upload-of-a-cut-version-is-taken", "tpeversion", "is the beginning of", isCut],
    ] as const
  ).map(
    ([id, member, does, isLike]) =>
      [
        id,
        "CORE-CONFIG-27",
        "subtle",
        `A configuration whose \`${member}\` ${does} the gateway's is accepted.`,
        (at: GatewayAlterations) =>
          at.around("uploadConfiguration", (call, proceed) =>
            proceed(call).catch((thrown: unknown): Answer => {
              const { diff, ...result } = fields(fields(thrown)["data"]);
              const { current, imported } = fields(diff);
              const [own, sent] = [fields(current), fields(imported)];
              const isTaken = Object.keys(own).every((name) =>
                name === member ? isLike(own[name], sent[name]) : own[name] === sent[name],
              );
              if (!isConflict(thrown) || !isTaken) throw thrown;
              return { kind: "json", status: 200, body: { data: { ...result, diff: null } } };
            }),
          ),
      ] as const,
  ),
  [
    "schedule-after-an-apply-takes-its-reboot",
    "CORE-CONFIG-31",
    "subtle",
    "A reboot schedule set between an apply and its reboot takes the place of that reboot.",
    (at) => {
      let isReplaced = false;
      at.around(["applyConfiguration", "uploadConfiguration"], (call, proceed) => {
        isReplaced = false;
        return proceed(call);
      });
      at.around("setReboot", (call, proceed) => {
        isReplaced = call.body["now"] !== true && call.body["at"] !== "now";
        return proceed(call);
      });
      at.reboot((reason, proceed) => {
        if (!isReplaced || !reason.includes("configuration")) proceed();
      });
    },
  ],
  [
    "listening-clients-put-the-reboot-of-an-apply-off",
    "CORE-CONFIG-31",
    "subtle",
    "The reboot of an apply comes 4 s later when a client has opened the stream of events.",
    (at) => {
      let isOpen = false;
      at.around("getEvents", (call, proceed) => {
        isOpen ||= call.query["event"] !== undefined;
        return proceed(call);
      });
      at.reboot((reason, proceed) => {
        if (isOpen && reason.includes("configuration")) setTimeout(proceed, 4000);
        else proceed();
      });
    },
  ],
  [
    "encrypted-upload-cannot-be-applied",
    "CORE-CONFIG-29",
    "subtle",
    "A file that was uploaded encrypted cannot be applied by its name.",
    cannotBeApplied(({ body }) => body["encryption"] !== false),
  ],
  [
    "upload-of-a-name-with-a-blank-cannot-be-applied",
    "CORE-CONFIG-29",
    "subtle",
    "A file that was uploaded under a name with a blank cannot be applied.",
    cannotBeApplied(({ files }) => files[0]?.fileName.includes(" ") === true),
  ],
  [
    "apply-answers-without-a-size",
    "CORE-CONFIG-29",
    "subtle",
    "`fileSize` in the answer of Apply configuration is 0.",
    (at) => at.data("applyConfiguration", (data) => ({ ...data, fileSize: 0 })),
  ],
  [
    "exports-at-the-same-time-share-a-password",
    "CORE-CONFIG-21",
    "subtle",
    "Of two exports at the same time, both are encrypted with the password of the later request.",
    (at) => {
      let password: string | undefined;
      at.around("exportConfiguration", async (call, proceed) => {
        password = call.headers["password"]?.toString();
        await new Promise((resolve) => setTimeout(resolve, 5));
        return proceed(
          password === undefined ? call : changed(call, { headers: { ...call.headers, password } }),
        );
      });
    },
  ],
  [
    "conflict-has-no-size",
    "CORE-CONFIG-36",
    "subtle",
    "`fileSize` in the rejection of another model or version is 0.",
    (at) =>
      at.around("uploadConfiguration", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          if (!(thrown instanceof Refusal) || !isConflict(thrown)) throw thrown;
          throw badInput(thrown.message, { data: { ...fields(thrown.data), fileSize: 0 } });
        }),
      ),
  ],
  [
    "uploads-of-one-name-at-once-share-their-size",
    "CORE-CONFIG-24",
    "subtle",
    "Of uploads under one name at the same time, each shows the size of the last.",
    (at) => {
      const latest = new Map<string, number>();
      at.around("uploadConfiguration", async (call, proceed) => {
        const [file] = call.files;
        const name = file?.fileName ?? "";
        latest.set(name, file?.size ?? 0);
        // Until the other requests that have come by now are read as well.
        await new Promise((resolve) => setTimeout(resolve, 20));
        const answer = await proceed(call);
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.fileSize", latest.get(name)) }
          : answer;
      });
    },
  ],
  [
    "unencrypted-upload-with-apply-restores-nothing",
    "CORE-CONFIG-32",
    "subtle",
    "An upload of an unencrypted file with `apply` true reboots the system and restores no setting.",
    (at) => {
      let isPlain = false;
      at.body("uploadConfiguration", (body) => {
        isPlain = body["encryption"] === false && body["apply"] === true;
        return body;
      });
      at.section((section) => ({
        ...section,
        write: (document) => (isPlain ? undefined : section.write(document)),
      }));
    },
  ],
  ...(
    [
      ["file-with-a-wrong-password-reboots-later", "CORE-CONFIG-23", "wrong password", false],
      ["file-of-another-model-reboots-later", "CORE-CONFIG-27", "conflict", true],
    ] as const
  ).map(
    ([id, requirement, reason, isOfConflict]) =>
      [
        id,
        requirement,
        "subtle",
        `An upload with \`apply\` true that is rejected for a ${reason} reboots the system 5 s later.`,
        (at: GatewayAlterations) =>
          at.around("uploadConfiguration", (call, proceed, ask) =>
            proceed(call).catch((thrown: unknown) => {
              const reboot = (): unknown => ask("setReboot", { body: { now: true } }).catch(() => undefined);
              if (call.body["apply"] === true && isConflict(thrown) === isOfConflict)
                setTimeout(reboot, 5000).unref();
              throw thrown;
            }),
          ),
      ] as const,
  ),
  [
    "apply-of-an-unknown-file-reboots-later",
    "CORE-CONFIG-30",
    "subtle",
    "Apply configuration rejects the name of a file that was never uploaded, and reboots the system 5 s later.",
    (at) =>
      at.around("applyConfiguration", (call, proceed, ask) =>
        proceed(call).catch((thrown: unknown) => {
          const reboot = (): unknown => ask("setReboot", { body: { now: true } }).catch(() => undefined);
          setTimeout(reboot, 5000).unref();
          throw thrown;
        }),
      ),
  ],
  ...(
    [
      ["apply-clears-no-flag", false, "clears"],
      ["apply-sets-no-flag", true, "sets"],
    ] as const
  ).map(
    ([id, kept, does]) =>
      [
        id,
        "CORE-CONFIG-32",
        "subtle",
        `Applying a configuration ${does} no flag of a setting.`,
        (at: GatewayAlterations) =>
          at.section((section) => ({
            ...section,
            write: (document) => section.write(keeping(kept, section.read(), document)),
          })),
      ] as const,
  ),
]);

/** Shorter runs upload one kind of file with `apply`, at random. */
export const uploadFaults = inCertification(
  uploads,
  "unencrypted-upload-with-apply-restores-nothing",
  "file-with-a-wrong-password-reboots-later",
);
