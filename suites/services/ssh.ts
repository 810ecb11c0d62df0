// The SSH configuration as it is set, returned and read back.
import { type Answer, type GatewayUnderTest, type TestCase, testCase } from "../../harness/index.ts";
import { keptMember } from "../support/settingCheck.ts";

/** The port that a gateway could take for one that was not given. */
const usualPort = 22;

/** Sets the first of the ports that the gateway accepts; with none of them, the answer is that for the last. */
async function setPort(
  gateway: GatewayUnderTest,
  enable: boolean,
  ports: readonly number[],
): Promise<{ answer: Answer<"setSsh">; port: number }> {
  const [port = 22, ...others] = ports;
  const answer = await gateway.admin.call("setSsh", { json: { enable, port } });
  return answer.accepted || others.length === 0 ? { answer, port } : setPort(gateway, enable, others);
}

export const sshCases: readonly TestCase[] = [
  testCase({
    id: "services/ssh-configuration-is-kept",
    title: "The SSH configuration is returned and read back as set",
    group: "services",
    requirements: ["CORE-SERVICE-27", "CORE-SERVICE-28"],
    effect: "reversible",
    touches: ["ssh", "services", "field-devices"],
    capabilities: ["ssh"],
    tags: ["smoke"],
    async run({ gateway, verify, scratch, random }) {
      const { enable: wasEnabled, port: former } = (await gateway.admin.call("getSsh")).data();
      const back = { enable: wasEnabled, port: former };
      scratch.undo("SSH configuration", () => gateway.admin.call("setSsh", { json: back }));
      const low = () => random.integer(2000, 30_000);
      const high = () => random.integer(32_768, 60_000);
      // A gateway may reject the port of another listener, and ports outside a range that is not stated.
      const wishes = [
        { enable: true, ports: [low(), low(), 2222, former] },
        { enable: false, ports: [high(), high(), low(), low(), former] },
        { enable: true, ports: [former] },
        { enable: false, ports: [former] },
        { enable: wasEnabled, ports: [former] },
      ];
      for (const { enable, ports } of wishes) {
        const { answer, port } = await setPort(gateway, enable, ports);
        verify("CORE-SERVICE-27").accepted(answer);
        const readBack = await gateway.admin.call("getSsh");
        keptMember(verify("CORE-SERVICE-27"), "port", port, answer, readBack);
        keptMember(verify("CORE-SERVICE-28"), "enable", enable, answer, readBack);
      }
      await setPort(gateway, false, [random.integer(2000, 30_000)]);
      const usual = await gateway.admin.call("setSsh", { json: { enable: false, port: usualPort } });
      // The gateway may have another listener on it.
      if (usual.accepted)
        keptMember(verify("CORE-SERVICE-27"), "port", usualPort, usual, await gateway.admin.call("getSsh"));
    },
  }),
];
