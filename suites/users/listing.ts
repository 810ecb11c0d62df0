import { scratchPrefix, type TestCase, testCase } from "../../harness/index.ts";
import { likeIds, listedUserFacts, presence, unusedId } from "./accounts.ts";
import { inParallel } from "./inParallel.ts";

const mostCompared = 20;
const readsAtOnce = 4;

export const listingCases: readonly TestCase[] = [
  testCase({
    id: "users/list-and-get-agree",
    title: "List users and Get user by id agree; unknown ids are rejected",
    group: "users",
    requirements: ["CORE-USER-13", "CORE-USER-15", "CORE-USER-16", "CORE-USER-33"],
    effect: "read-only",
    touches: [],
    capabilities: ["users"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("listUsers");
      const { count, data: users } = answer.body();
      verify("CORE-USER-15").equal(count, users.length, "`count` of List users", answer);
      const ids = users.map((user) => user.id);
      const self = await gateway.admin.call("getCurrentUser");
      verify("CORE-USER-16").that(ids.includes(self.data().id), {
        what: "the user who calls, in List users",
        expected: `the id ${self.data().id}`,
        observed: ids.slice(0, mostCompared),
        evidence: answer,
      });
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      verify("CORE-USER-16").equal(repeated, [], "ids listed more than once by List users", answer);
      verify("CORE-USER-13").equal(
        users
          .filter((_user, index) => presence(answer, `${index}.remindToChangePassword`) === "present")
          .map((user) => user.name),
        [],
        "listed users that have `remindToChangePassword`",
        answer,
      );
      // A user of a case, or of a measurement, may change between the two readings.
      const lasting = users.filter((user) => !user.name.startsWith(scratchPrefix));
      const compared = [...lasting.slice(0, mostCompared - 1), ...lasting.slice(mostCompared - 1).slice(-1)];
      await inParallel(compared, readsAtOnce, async (listed) => {
        const one = await gateway.admin.call("getUser", { path: { id: listed.id } });
        const user = one.data();
        verify("CORE-USER-33").equal(
          user.id,
          listed.id,
          `\`id\` in the answer of Get user by id ${listed.id}`,
          one,
        );
        verify("CORE-USER-16").equal(
          listedUserFacts(user),
          listedUserFacts(listed),
          `user ${listed.id} by id, compared with List users`,
          one,
        );
        verify("CORE-USER-13").equal(
          presence(one, "remindToChangePassword"),
          "absent",
          `\`remindToChangePassword\` in the answer of Get user by id ${listed.id}`,
          one,
        );
      });
      const none = [0, -1].filter((id) => !ids.includes(id));
      for (const id of [unusedId(users), ...none, ...likeIds(users, self.data().id)])
        verify("CORE-USER-33").refused(await gateway.admin.callInvalid("getUser", { path: { id } }));
    },
  }),
];
