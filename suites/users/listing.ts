import { type TestCase, testCase } from "../../harness/index.ts";
import { unusedId, userFacts } from "./accounts.ts";
import { inParallel } from "./inParallel.ts";

const mostCompared = 20;
const readsAtOnce = 4;

export const listingCases: readonly TestCase[] = [
  testCase({
    id: "users/list-and-get-agree",
    title: "Get user by id answers every listed user as the list shows it, and no user for another id",
    group: "users",
    requirements: ["CORE-USER-13", "CORE-USER-15", "CORE-USER-16", "CORE-USER-33"],
    effect: "read-only",
    touches: [],
    capabilities: ["users"],
    tags: ["smoke"],
    async run({ gateway, verify, unmet }) {
      const answer = await gateway.admin.call("listUsers");
      const { count, data: users } = answer.body();
      if (users.length === 0) unmet("the gateway lists no user at all");
      verify("CORE-USER-15").equal(count, users.length, "count of List users", answer);
      const ids = users.map((user) => user.id);
      verify("CORE-USER-16").equal(ids.length, new Set(ids).size, "number of different user ids", answer);
      verify("CORE-USER-13").equal(
        users.filter((user) => "remindToChangePassword" in user).map((user) => user.name),
        [],
        "listed users with remindToChangePassword",
        answer,
      );
      const compared = [...users.slice(0, mostCompared - 1), ...users.slice(mostCompared - 1).slice(-1)];
      await inParallel(compared, readsAtOnce, async (listed) => {
        const one = await gateway.admin.call("getUser", { path: { id: listed.id } });
        const user = one.data();
        verify("CORE-USER-33").equal(user.id, listed.id, `id of user ${listed.id}`, one);
        verify("CORE-USER-16").equal(userFacts(user), userFacts(listed), `user ${listed.id} as listed`, one);
        verify("CORE-USER-13").equal(
          "remindToChangePassword" in user,
          false,
          `whether user ${listed.id} by its id has remindToChangePassword`,
          one,
        );
      });
      verify("CORE-USER-33").refused(await gateway.admin.call("getUser", { path: { id: unusedId(users) } }));
    },
  }),
];
