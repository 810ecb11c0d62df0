// The upgrade configuration: retries, client authentication, snapshot.
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import Type, { type Static } from "typebox";
import type { Disk } from "../../../interface/resources/disk.ts";
import type { UpgradeConfiguration } from "../../../interface/resources/upgrade.ts";
import { stateDiskName } from "../../foundation/disks.ts";
import type { Foundation } from "../../foundation/gateway.ts";
import type { Call } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting, type Setting } from "../../store/setting.ts";
import { assertPair } from "../../tls/pair.ts";

const Settings = Type.Object({
  allowOverCellular: Type.Boolean(),
  caName: Type.String(),
  certFileName: Type.String(),
  keyFileName: Type.String(),
  enableClientAuth: Type.Boolean(),
  enableSnapshot: Type.Boolean(),
  retryCount: Type.Integer({ minimum: 0 }),
  retryInterval: Type.Integer({ minimum: 0 }),
  targetDiskName: Type.String(),
  caPem: Type.String(),
  certificatePem: Type.String(),
  keyPem: Type.String(),
});
export type UpgradeSettings = Static<typeof Settings>;

const maxRetries = 1_000_000;

export function openUpgradeSettings(foundation: Omit<Foundation, "events">): Setting<UpgradeSettings> {
  return openSetting(foundation.store, "upgrade", Settings, () => ({
    allowOverCellular: false,
    caName: "",
    certFileName: "",
    keyFileName: "",
    enableClientAuth: false,
    enableSnapshot: false,
    retryCount: 3,
    retryInterval: 5,
    targetDiskName: stateDiskName,
    caPem: "",
    certificatePem: "",
    keyPem: "",
  }));
}

/** The configuration as answers show it: names of the certificate files, never their content. */
export function showUpgrade(
  settings: UpgradeSettings,
  disks: readonly Disk[],
  isSnapshotSupported: boolean,
): UpgradeConfiguration {
  const { caPem: _ca, certificatePem: _certificate, keyPem: _key, ...shown } = settings;
  return { ...shown, disks: [...disks], isSnapshotSupported };
}

/** The settings after a request was merged into the present ones; throws a Refusal that names the field. */
export async function mergeUpgrade(
  present: UpgradeSettings,
  call: Call,
  disks: readonly Disk[],
  isSnapshotSupported: boolean,
): Promise<UpgradeSettings> {
  const body = call.body as Partial<UpgradeSettings> & Record<string, unknown>;
  const scalars = {
    allowOverCellular: body.allowOverCellular ?? present.allowOverCellular,
    enableClientAuth: body.enableClientAuth ?? present.enableClientAuth,
    enableSnapshot: body.enableSnapshot ?? present.enableSnapshot,
    retryCount: body.retryCount ?? present.retryCount,
    retryInterval: body.retryInterval ?? present.retryInterval,
    targetDiskName: body.targetDiskName ?? present.targetDiskName,
  };
  for (const name of ["retryCount", "retryInterval"] as const) {
    if (scalars[name] < 0 || scalars[name] > maxRetries)
      throw badInput(`${name}: expected 0 to ${maxRetries}, found ${scalars[name]}`);
  }
  if (!disks.some((disk) => disk.name === scalars.targetDiskName)) {
    throw badInput(`targetDiskName: ${JSON.stringify(scalars.targetDiskName)} is no disk of this gateway`);
  }
  // Whether snapshots are supported is a property of the device, whatever a request says.
  if (scalars.enableSnapshot && !isSnapshotSupported)
    throw badInput("enableSnapshot: this device does not support snapshots");
  const ca = await contentOf(call, "ca", "caFile", "caFilename");
  const cert = await contentOf(call, "cert", "certFile", "certFilename");
  const key = await contentOf(call, "key", "keyFile", "keyFilename");
  const merged = {
    ...scalars,
    caPem: ca?.pem ?? present.caPem,
    caName: ca?.name ?? present.caName,
    certificatePem: cert?.pem ?? present.certificatePem,
    certFileName: cert?.name ?? present.certFileName,
    keyPem: key?.pem ?? present.keyPem,
    keyFileName: key?.name ?? present.keyFileName,
  };
  if (ca !== undefined) assertCertificate(ca.pem);
  if (cert !== undefined || key !== undefined)
    assertPair(merged.certificatePem, merged.keyPem, { certificate: "cert", key: "key" });
  if (merged.enableClientAuth && (merged.certificatePem === "" || merged.keyPem === "")) {
    throw badInput("enableClientAuth: expected a certificate and a key to have been set");
  }
  return merged;
}

async function contentOf(
  call: Call,
  textField: string,
  fileField: string,
  nameField: string,
): Promise<{ pem: string; name: string } | undefined> {
  const file = call.files.find((one) => one.fieldName === fileField);
  if (file !== undefined) return { pem: await readFile(file.path, "utf8"), name: file.fileName };
  const text = call.body[textField];
  if (typeof text !== "string" || text === "") return undefined;
  const name = call.body[nameField];
  return { pem: text, name: typeof name === "string" && name !== "" ? name : `${textField}.pem` };
}

function assertCertificate(pem: string): void {
  try {
    new X509Certificate(pem);
  } catch {
    throw badInput("ca: expected a certificate in PEM");
  }
}
