import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { UpgradeConfiguration } from "../../interface/resources/upgrade.ts";
import { makeCertificate } from "../support/certificate.ts";
import { checkWrongInput, keptMember } from "../support/settingCheck.ts";
import { verifyTargets } from "../support/targetDisks.ts";

type Settings = Omit<
  UpgradeConfiguration,
  "caName" | "certFileName" | "disks" | "isSnapshotSupported" | "keyFileName"
>;

/** The current values of the settings that a client may change. */
export function settings(current: UpgradeConfiguration): Settings {
  const { allowOverCellular, enableClientAuth, enableSnapshot, retryCount } = current;
  const { retryInterval, targetDiskName } = current;
  return { allowOverCellular, enableClientAuth, enableSnapshot, retryCount, retryInterval, targetDiskName };
}

/** Another number of retries, of those that any gateway allows. */
function otherCount(random: CaseContext["random"], present: number): number {
  return 1 + ((present + random.integer(0, 7)) % 9);
}

/** The stated members of the configuration, without the fill levels of the disks. */
function comparable({ disks, ...rest }: UpgradeConfiguration): object {
  const { caName, certFileName, keyFileName, isSnapshotSupported } = rest;
  const names = disks.map(({ name }) => name).toSorted();
  return {
    ...settings({ disks, ...rest }),
    caName,
    certFileName,
    keyFileName,
    isSnapshotSupported,
    disks: names,
  };
}

const shared = {
  group: "upgrade",
  effect: "reversible",
  touches: ["upgrade-configuration"],
  capabilities: ["upgrade"],
} as const;

/** Sets `isSnapshotSupported` to false until the case ends; answers whether the gateway shows it so. */
async function withoutSnapshots({ gateway: { admin }, scratch }: CaseContext): Promise<boolean> {
  const { enableSnapshot } = (await admin.call("getUpgradeConfiguration")).data();
  // One after the other: while the support is off, a gateway rejects both together.
  for (const json of [{ enableSnapshot }, { isSnapshotSupported: true }])
    scratch.undo(`${Object.keys(json).join()} of the upgrade configuration`, () =>
      admin.call("updateUpgradeConfiguration", { json }),
    );
  const json = { isSnapshotSupported: false, enableSnapshot: false };
  const answer = await admin.call("updateUpgradeConfiguration", { json });
  return answer.accepted && !(await admin.call("getUpgradeConfiguration")).data().isSnapshotSupported;
}

export const configuringCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "upgrade/configuration-is-kept",
    title: "Partial sets of the upgrade configuration change only the members sent",
    requirements: [
      "CORE-UPGRADE-14",
      "CORE-UPGRADE-15",
      "CORE-UPGRADE-16",
      "CORE-UPGRADE-17",
      "CORE-UPGRADE-18",
      "CORE-UPGRADE-19",
      "CORE-UPGRADE-20",
      "CORE-UPGRADE-21",
      "CORE-GENERAL-09",
    ],
    tags: ["smoke"],
    async run(context) {
      const { gateway, verify, scratch, random, note } = context;
      const { admin } = gateway;
      const before = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("upgrade configuration", () =>
        admin.call("updateUpgradeConfiguration", { json: settings(before) }),
      );
      const setAlone = async (
        json: Partial<UpgradeConfiguration>,
        beside: Pick<Partial<UpgradeConfiguration>, "disks"> = {},
      ): Promise<Answer> => {
        const was = comparable((await admin.call("getUpgradeConfiguration")).data());
        const answer = await admin.call("updateUpgradeConfiguration", { json: { ...json, ...beside } });
        if (!answer.accepted) return answer;
        const readBack = await admin.call("getUpgradeConfiguration");
        verify("CORE-UPGRADE-20").equal(
          comparable(readBack.data()),
          { ...was, ...json },
          `all members after ${Object.keys(json).join(", ")} was set alone`,
          readBack,
        );
        return answer;
      };
      const set = async (requirement: string, ...sent: Parameters<typeof setAlone>): Promise<void> => {
        const answer = await setAlone(...sent);
        if (!verify(requirement).accepted(answer)) return;
        const readBack = await admin.call("getUpgradeConfiguration");
        for (const [name, value] of Object.entries(sent[0]))
          keptMember(verify(requirement), name, value, answer, readBack);
      };
      // What other values of `disks` do is not stated.
      const { allowOverCellular, disks } = before;
      await set("CORE-UPGRADE-14", { allowOverCellular: !allowOverCellular });
      await set("CORE-UPGRADE-14", { allowOverCellular }, { disks });
      for (const retryCount of [otherCount(random, before.retryCount), 0, before.retryCount])
        await set("CORE-UPGRADE-15", { retryCount });
      for (const retryInterval of [random.integer(1, 600), before.retryInterval])
        await set("CORE-UPGRADE-16", { retryInterval });
      await verifyTargets(
        context,
        "CORE-UPGRADE-17",
        // How much room a file needs is not stated; a boot partition has less than this.
        { ...before, desiredDiskCacheSizeMB: 500 },
        {
          read: () => admin.call("getUpgradeConfiguration"),
          set: (targetDiskName) => setAlone({ targetDiskName }),
        },
      );
      if (before.isSnapshotSupported) {
        for (const enableSnapshot of [!before.enableSnapshot, before.enableSnapshot])
          await set("CORE-UPGRADE-18", { enableSnapshot });
        verify("CORE-UPGRADE-19").equal(
          before.isSnapshotSupported,
          true,
          "`isSnapshotSupported`, with which a rejection is not applicable",
        );
        note("rejection of enableSnapshot not tested: the device supports snapshots");
      } else {
        verify("CORE-UPGRADE-18").equal(
          before.enableSnapshot,
          false,
          "`enableSnapshot` with isSnapshotSupported false",
        );
        verify("CORE-UPGRADE-19").refused(
          await admin.call("updateUpgradeConfiguration", { json: { enableSnapshot: true } }),
        );
        verify("CORE-UPGRADE-19").equal(
          (await admin.call("getUpgradeConfiguration")).data().enableSnapshot,
          false,
          "`enableSnapshot` after a rejected change",
        );
      }
      const was = settings((await admin.call("getUpgradeConfiguration")).data());
      for (const json of [
        { retryCount: "many" },
        { retryInterval: {} },
        { allowOverCellular: "sometimes" },
        { enableClientAuth: "sometimes" },
        { enableSnapshot: "sometimes" },
        { allowOverCellular: !was.allowOverCellular, retryCount: "many" },
        { retryCount: was.retryCount + 1, allowOverCellular: "sometimes" },
      ]) {
        const answer = await admin.callInvalid("updateUpgradeConfiguration", { json });
        const after = settings((await admin.call("getUpgradeConfiguration")).data());
        checkWrongInput(context, "CORE-UPGRADE-21", { answer, sent: json, before: was, after });
        if (answer.accepted) await admin.callChecked("updateUpgradeConfiguration", { json: was });
      }
    },
  }),
  testCase({
    ...shared,
    id: "upgrade/full-set-is-stored",
    title: "A full set of the upgrade configuration is stored, or rejected as a whole",
    requirements: ["CORE-UPGRADE-19", "CORE-UPGRADE-22"],
    async run(context) {
      const { gateway, verify, scratch, random, note } = context;
      const { admin } = gateway;
      const before = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("upgrade configuration", () =>
        admin.call("updateUpgradeConfiguration", { json: settings(before) }),
      );
      const { disks } = before;
      let { retryCount } = before;
      for (const [how, isOther] of [
        ["json", true],
        ["json with disks", false],
        ["form", true],
        ["form", false],
      ] as const) {
        const allowOverCellular = before.allowOverCellular !== isOther;
        retryCount = otherCount(random, retryCount);
        const wanted = {
          ...settings(before),
          allowOverCellular,
          retryCount,
          // Never the same number: an exchange of the two would not show.
          retryInterval: random.integer(100, 600),
        };
        const answer = await admin.call(
          "setUpgradeConfiguration",
          how === "form" ? { form: wanted } : { json: how === "json" ? wanted : { ...wanted, disks } },
        );
        // The media type of the request is not stated.
        if (how === "form" && !answer.accepted) {
          note(`a form without files is rejected: ${answer.summary()}`);
          continue;
        }
        if (!verify("CORE-UPGRADE-22").accepted(answer)) continue;
        const readBack = await admin.call("getUpgradeConfiguration");
        for (const [name, value] of Object.entries(wanted))
          keptMember(verify("CORE-UPGRADE-22"), name, value, answer, readBack);
      }
      // Whether isSnapshotSupported can be set is not stated: once it is false, the other cannot be true.
      for (const operation of ["updateUpgradeConfiguration", "setUpgradeConfiguration"] as const) {
        if (!before.isSnapshotSupported) break;
        const json = { ...settings(before), enableSnapshot: true, isSnapshotSupported: false };
        const answer = await admin.call(operation, { json });
        const { isSnapshotSupported, enableSnapshot } = (await admin.call("getUpgradeConfiguration")).data();
        verify("CORE-UPGRADE-19").that(isSnapshotSupported || !enableSnapshot, {
          what: `configuration after ${operation} with enableSnapshot true and isSnapshotSupported false`,
          expected: "no enableSnapshot true while isSnapshotSupported is false",
          observed: `enableSnapshot ${enableSnapshot}, isSnapshotSupported ${isSnapshotSupported}`,
          evidence: answer,
        });
        if (!isSnapshotSupported)
          await admin.call(operation, { json: { ...settings(before), isSnapshotSupported: true } });
      }
      if (before.isSnapshotSupported && !(await withoutSnapshots(context)))
        return verify("CORE-UPGRADE-19").notApplicable(
          "rejection of enableSnapshot",
          "isSnapshotSupported is true",
        );
      const was = (await admin.call("getUpgradeConfiguration")).data();
      const wish = { ...settings(was), enableSnapshot: true, retryCount: was.retryCount + 1 };
      for (const [how, answer] of [
        ["as JSON", await admin.call("setUpgradeConfiguration", { json: wish })],
        ["as JSON", await admin.call("updateUpgradeConfiguration", { json: wish })],
        ["as a form", await admin.call("setUpgradeConfiguration", { form: wish })],
      ] as const) {
        verify("CORE-UPGRADE-19").refused(answer);
        verify("CORE-UPGRADE-19").equal(
          settings((await admin.call("getUpgradeConfiguration")).data()),
          settings(was),
          `settings after a rejected ${answer.operation} ${how} with enableSnapshot true and another retryCount`,
        );
      }
      if (before.isSnapshotSupported) return;
      // Whether isSnapshotSupported can be set is not stated: while it is false, so is the other.
      for (const operation of ["updateUpgradeConfiguration", "setUpgradeConfiguration"] as const) {
        const json = { ...settings(was), enableSnapshot: true, isSnapshotSupported: true };
        const answer = await admin.call(operation, { json });
        const { isSnapshotSupported, enableSnapshot } = (await admin.call("getUpgradeConfiguration")).data();
        if (isSnapshotSupported) {
          await admin.call(operation, { json: { ...settings(was), isSnapshotSupported: false } });
          continue;
        }
        verify("CORE-UPGRADE-19").refused(answer);
        verify("CORE-UPGRADE-19").equal(
          enableSnapshot,
          false,
          `\`enableSnapshot\` after ${operation} with it and isSnapshotSupported, which stays false`,
          answer,
        );
      }
    },
  }),
  testCase({
    ...shared,
    id: "upgrade/credentials-are-named-not-shown",
    title: "Upgrade certificates and key are shown by file name only",
    requirements: ["CORE-UPGRADE-23"],
    async run(context) {
      const { gateway, note, verify, scratch } = context;
      const { admin } = gateway;
      const before = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("upgrade configuration", () =>
        admin.call("updateUpgradeConfiguration", { json: settings(before) }),
      );
      const { certificatePem, keyPem } = await makeCertificate(context, "upgrade.rackproof.invalid");
      const answer = await admin.call("setUpgradeConfiguration", {
        json: {
          ...settings(before),
          ca: certificatePem,
          caFilename: "rp-ca.crt",
          cert: certificatePem,
          certFilename: "rp-client.crt",
          key: keyPem,
          keyFilename: "rp-client.key",
        },
      });
      if (!verify("CORE-UPGRADE-23").accepted(answer)) return;
      const readBack = await admin.call("getUpgradeConfiguration");
      for (const shown of [answer, readBack]) {
        const { caName, certFileName, keyFileName } = shown.data();
        verify("CORE-UPGRADE-23").equal(
          { caName, certFileName, keyFileName },
          { caName: "rp-ca.crt", certFileName: "rp-client.crt", keyFileName: "rp-client.key" },
          "`caName`, `certFileName` and `keyFileName`",
          shown,
        );
        verify("CORE-UPGRADE-23").equal(
          shown.text.includes("PRIVATE KEY"),
          false,
          "presence of a private key in the answer",
          shown,
        );
      }
      const file = (fileName: string, content: string) => ({ fileName, content: Buffer.from(content) });
      const names = { caName: "rp-ca2.crt", certFileName: "rp-client2.crt", keyFileName: "rp-client2.key" };
      const uploaded = await admin.call("setUpgradeConfiguration", {
        form: {
          ...settings(before),
          caFile: file(names.caName, certificatePem),
          certFile: file(names.certFileName, certificatePem),
          keyFile: file(names.keyFileName, keyPem),
        },
      });
      // The media type of the request is not shown.
      if (!uploaded.accepted) return note(`a form with files is rejected: ${uploaded.summary()}`);
      const { caName, certFileName, keyFileName } = uploaded.data();
      verify("CORE-UPGRADE-23").equal(
        { caName, certFileName, keyFileName },
        names,
        "`caName`, `certFileName` and `keyFileName` after an upload of caFile, certFile and keyFile",
        uploaded,
      );
    },
  }),
];
