import { type TestCase, testCase } from "../../harness/index.ts";
import { alteredTokens } from "../authorisation/forgedTokens.ts";
import { permissionsFor } from "../users/accounts.ts";

const shared = {
  group: "auth",
  effect: "reversible",
  touches: [],
  addsTo: ["accounts"],
  capabilities: ["auth", "users", "roles"],
} as const;

/** Where the sign-in token is found, and whether it is valid. */
export const tokenHeaderCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "auth/tag-operations-take-mx-api-token",
    title: "Tag operations accept the sign-in token in the header mx-api-token",
    requirements: ["CORE-AUTH-21"],
    capabilities: ["auth", "tags", "users", "roles"],
    tags: ["smoke"],
    async run({ gateway, profile, scratch, verify, unmet }) {
      const user = await scratch.user({ permissions: permissionsFor(profile, "listTags") });
      const { token } = await user.signIn();
      if (token === undefined) return unmet("Sign in returned no token");
      // Names of headers are case-insensitive (RFC 9110, 5.1).
      for (const name of ["mx-api-token", "MX-API-TOKEN"]) {
        const answer = await gateway.anonymous.callInvalid("listTags", { headers: { [name]: token } });
        verify("CORE-AUTH-21").accepted(answer);
      }
    },
  }),

  testCase({
    ...shared,
    id: "auth/token-header-in-capitals",
    title: "The header of the sign-in token is found also in capital letters",
    requirements: ["CORE-AUTH-11"],
    async run({ gateway, profile, scratch, verify, unmet }) {
      const user = await scratch.user({ permissions: permissionsFor(profile, "getCurrentUser") });
      const session = await user.signIn();
      // In the declared letters first: a rejection below is due to the capitals.
      (await session.call("getCurrentUser")).body();
      if (session.token === undefined) return unmet("Sign in returned no token");
      const { header, prefix } = profile.token;
      const answer = await gateway.anonymous.callInvalid("getCurrentUser", {
        headers: { [header.toUpperCase()]: prefix + session.token },
      });
      // Names of headers are case-insensitive (RFC 9110, 5.1).
      if (!verify("CORE-AUTH-11").accepted(answer)) return;
      verify("CORE-AUTH-11").equal(answer.data().id, user.id, "`id` of the current user", answer);
    },
  }),

  testCase({
    ...shared,
    id: "auth/check-token",
    title: "The token check accepts valid tokens and rejects others with 401",
    requirements: ["CORE-AUTH-32"],
    async run({ clock, gateway, profile, scratch, verify, notApplicable, unmet }) {
      if (!profile.extensions.has("checkToken")) {
        return notApplicable("the profile does not declare the extension checkToken");
      }
      const user = await scratch.user({ permissions: permissionsFor(profile, "getWebsocketToken") });
      const session = await user.signIn();
      const valid = await session.callExtension("checkToken");
      verify("CORE-AUTH-32").equal(valid.status, 200, "status of the token check with a valid token", valid);
      verify("CORE-AUTH-32").refused(await gateway.anonymous.callExtension("checkToken"), 401);
      if (session.token === undefined) return unmet("Sign in returned no token");
      const { token: ofWebsocket } = (await session.call("getWebsocketToken")).data();
      const altered = alteredTokens(session.token, clock.epochMs()).map(({ token }) => token);
      for (const token of ["no.such.token", ofWebsocket, ...altered])
        verify("CORE-AUTH-32").refused(await gateway.withToken(token).callExtension("checkToken"), 401);
      (await gateway.admin.call("updateUser", { path: { id: user.id }, json: { isActive: false } })).body();
      // Where it is not valid for anything else; the status of a user who may not sign in is not stated.
      if ((await session.call("getWebsocketToken")).rejected)
        verify("CORE-AUTH-32").refused(await session.callExtension("checkToken"));
    },
  }),
];
