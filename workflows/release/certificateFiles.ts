// The signed files of a certificate: itself, the in-toto statement in a DSSE envelope, and the OSCAL document.
import { type Certificate, sha256 } from "../../record/index.ts";
import { envelop } from "./dsse.ts";
import { oscalOf } from "./oscal.ts";
import { open, seal } from "./signature.ts";
import { statementMediaType, statementOf } from "./statement.ts";

export interface CertificateFiles {
  /** Of the certificate's own file. */
  readonly sha256: string;
  /** Thumbprint of the signing key. */
  readonly keyId: string;
  /** Text by file name. */
  readonly texts: Readonly<Record<"certificate" | "envelope" | "oscal", FileText>>;
}

interface FileText {
  readonly name: string;
  readonly text: string;
}

/** Signs the certificate. `stem`: the name of its file without `.json`. Throws SignatureFault for an unusable key. */
export async function certificateFiles(
  certificate: Certificate,
  privatePem: string,
  stem: string,
): Promise<CertificateFiles> {
  const text = await seal(certificate, privatePem);
  const { keyId } = await open(text);
  const digest = sha256(text);
  const own = { name: `${stem}.json`, text };
  const oscal = { name: `${stem}.oscal.json`, text: lines(oscalOf(certificate, digest)) };
  // The envelope names the digest of the OSCAL document, which has no signature of its own.
  const statement = statementOf(certificate, { [own.name]: digest, [oscal.name]: sha256(oscal.text) });
  const envelope = envelop(statementMediaType, JSON.stringify(statement), privatePem, keyId);
  return {
    sha256: digest,
    keyId,
    texts: { certificate: own, envelope: { name: `${stem}.dsse.json`, text: lines(envelope) }, oscal },
  };
}

function lines(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
