// Faults of the password of an export.
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const anyPassword = "any-1!";

export const exportPasswordFaults: readonly Fault[] = faults([
  [
    "export-password-needs-no-digit",
    "CORE-CONFIG-17",
    "plain",
    "An export password without a digit is accepted.",
    (at) => at.around("exportConfiguration", (call, proceed) => proceed(padded(call, /\d/, "1"))),
  ],
  [
    "export-password-needs-no-special-character",
    "CORE-CONFIG-18",
    "plain",
    "An export password without a special character is accepted.",
    (at) => at.around("exportConfiguration", (call, proceed) => proceed(padded(call, /[^A-Za-z0-9]/, "!"))),
  ],
  [
    "long-export-password-is-refused",
    "CORE-CONFIG-41",
    "subtle",
    "An export password of more than six characters is rejected.",
    (at) =>
      at.around("exportConfiguration", (call, proceed) => {
        if (String(call.headers["password"] ?? "").length > 6) throw badInput("password: it is too long");
        return proceed(call);
      }),
  ],
  [
    "export-password-needs-another-digit-than-0",
    "CORE-CONFIG-41",
    "subtle",
    "An export password whose only digits are zeros is rejected.",
    (at) =>
      at.around("exportConfiguration", (call, proceed) => {
        const { password } = call.headers;
        if (/^[^1-9]*0[^1-9]*$/.test(String(password ?? ""))) throw badInput("password: a digit is missing");
        return proceed(call);
      }),
  ],
  [
    "default-export-password-is-another",
    "CORE-CONFIG-20",
    "subtle",
    "Without a password, an export is encrypted with another text than the serial number.",
    (at) => {
      const given = (password: unknown): unknown =>
        password === undefined || password === "" ? anyPassword : password;
      at.around("exportConfiguration", (call, proceed) =>
        proceed(
          changed(call, { headers: { ...call.headers, password: String(given(call.headers["password"])) } }),
        ),
      );
    },
  ],
  [
    "upload-falls-back-to-the-last-export-password",
    "CORE-CONFIG-20",
    "subtle",
    "An upload without a password is opened with the password of the last export.",
    (at) => {
      let last: unknown;
      at.around("exportConfiguration", (call, proceed) => {
        if (call.query["action"] !== "get-profile") last = call.headers["password"];
        return proceed(call);
      });
      at.body("uploadConfiguration", (body) =>
        body["password"] === undefined && last !== undefined ? { ...body, password: last } : body,
      );
    },
  ],
  [
    "any-password-opens-an-export",
    "CORE-CONFIG-23",
    "subtle",
    "An upload is accepted with any password.",
    (at) => {
      at.around("exportConfiguration", (call, proceed) =>
        proceed(changed(call, { headers: { ...call.headers, password: anyPassword } })),
      );
      at.body("uploadConfiguration", (body) => ({ ...body, password: anyPassword }));
    },
  ],
  [
    "export-password-counts-32-characters",
    "CORE-CONFIG-23",
    "subtle",
    "Only the first 32 characters of an export password are compared.",
    (at) => comparesPasswords(at, (password) => password.slice(0, 32)),
  ],
  [
    "export-password-without-case",
    "CORE-CONFIG-23",
    "subtle",
    "Export passwords are compared without regard to case.",
    (at) => comparesPasswords(at, (password) => password.toLowerCase()),
  ],
  [
    "upload-password-decoded-like-an-address",
    "CORE-CONFIG-21",
    "subtle",
    "A plus sign in the password of an upload is read as a space.",
    (at) =>
      at.body("uploadConfiguration", ({ password, ...body }) =>
        typeof password === "string" ? { ...body, password: password.replaceAll("+", " ") } : body,
      ),
  ],
  [
    "export-password-in-small-letters",
    "CORE-CONFIG-21",
    "subtle",
    "An export is encrypted with the password in lower case.",
    (at) => encryptsWith(at, (password) => password.toLowerCase()),
  ],
  [
    "export-password-cut-at-48",
    "CORE-CONFIG-21",
    "subtle",
    "An export is encrypted with the first 48 characters of the password, an upload opened with all of them.",
    (at) => encryptsWith(at, (password) => password.slice(0, 48)),
  ],
]);

/** Export and upload use what is made of the password. */
function comparesPasswords(at: GatewayAlterations, made: (password: string) => string): void {
  encryptsWith(at, made);
  at.body("uploadConfiguration", ({ password, ...body }) =>
    typeof password === "string" ? { ...body, password: made(password) } : body,
  );
}

/** An export uses what is made of the password. */
function encryptsWith(at: GatewayAlterations, made: (password: string) => string): void {
  at.around("exportConfiguration", (call, proceed) => {
    const { password } = call.headers;
    if (typeof password !== "string") return proceed(call);
    return proceed(changed(call, { headers: { ...call.headers, password: made(password) } }));
  });
}

/** The call with its password completed where the pattern misses a character. */
function padded(call: Parameters<typeof changed>[0], pattern: RegExp, missing: string): typeof call {
  const { password } = call.headers;
  if (typeof password !== "string" || password === "" || pattern.test(password)) return call;
  return changed(call, { headers: { ...call.headers, password: password + missing } });
}
