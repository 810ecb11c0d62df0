// The page of one registered certificate, and its badge.
import type { RegisteredCertificate, RegistryIndex } from "../../record/index.ts";
import { html, type Html, trusted } from "../markup/template.ts";
import { instant } from "../text/durations.ts";
import { badge } from "./badge.ts";
import { type SiteFile, sitePage } from "./listPages.ts";

/** Formats of a certificate by file name. */
const formats: Readonly<Record<string, string>> = {
  "certificate.html": "Page to print",
  "certificate.json": "Signed certificate",
  "certificate.dsse.json": "in-toto statement in a DSSE envelope",
  "certificate.oscal.json": "OSCAL assessment results",
  "proof.json": "Proof of inclusion in the log",
  "badge.svg": "Badge",
};

/** Page and badge; `files`: names of the files that the registry has for the certificate. */
export function certificateSiteFiles(
  index: RegistryIndex,
  certificate: RegisteredCertificate,
  files: readonly string[],
): SiteFile[] {
  const folder = `certificates/${certificate.certificateSha256}`;
  const image = badge(certificate);
  const { model, firmware } = certificate;
  const shown = Object.entries(formats).filter(
    ([name]) => name === "badge.svg" || name === "proof.json" || files.includes(name),
  );
  const body = html`<h1>${model}, firmware ${firmware}</h1>
    <p>${trusted(image)}</p>
    ${stateLine(certificate)}
    <dl>
      ${facts(certificate).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <h2>Files</h2>
    <ul>
      ${shown.map(([name, title]) => html`<li><a href="${name}">${title}</a></li>`)}
    </ul>
    <h2>Verify</h2>
    <p>
      <code
        >rackproof verify certificate.json --firmware ${firmware} --public-key ISSUER.pub --registry
        ADDRESS</code
      >
    </p>`;
  return [
    [`${folder}/badge.svg`, image],
    [`${folder}/index.html`, sitePage(index, `${model} ${firmware}`, "../../", body)],
  ];
}

function stateLine({ state, validTo, revokedAt, reason }: RegisteredCertificate): Html {
  const text = {
    valid: `Valid until ${instant(validTo)}`,
    expired: `Expired on ${instant(validTo)}`,
    revoked: `Revoked on ${instant(revokedAt ?? validTo)}: ${reason ?? ""}`,
  }[state];
  return html`<p class="${state}">${text}</p>`;
}

function facts(one: RegisteredCertificate): [string, string | number][] {
  return [
    ["Interface", one.interface],
    ["Requirement set", one.set],
    ["Requirements passed", one.passed],
    ["Requirements waived", one.waived],
    ["Vendor", one.vendor ?? "not declared"],
    ["Class", one.class ?? "not declared"],
    ["Issued by", one.issuer ?? "the holder of the key"],
    ["Key thumbprint", one.keyId],
    ["Suite", `rackproof ${one.suite}`],
    ["Valid", `${instant(one.validFrom)} to ${instant(one.validTo)}`],
    ["Registered", `${instant(one.at)}, entry ${one.index}`],
    ["SHA-256", one.certificateSha256],
  ];
}
