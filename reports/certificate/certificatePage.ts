// The certificate as one printable page with its digest as a QR code. Only the signed file is evidence.
import qrcode from "qrcode-generator";
import { groups } from "../../interface/vocabulary/groups.ts";
import { requirements } from "../../interface/requirements/index.ts";
import type { Certificate, CertificateClass, Waiver } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html, trusted } from "../markup/template.ts";
import { measurementText } from "../text/measurementText.ts";
import { coverageLine } from "../text/coverageText.ts";
import { tlsLines } from "../text/tlsText.ts";
import { counted } from "../text/visibleText.ts";
import { certificateStyle } from "./certificateStyle.ts";

/** Data on the page besides the certificate. */
export interface CertificateFacts {
  /** SHA-256 of the signed file, in hexadecimal. */
  readonly fileSha256: string;
  /** Thumbprint of the signing key. */
  readonly keyId: string;
  /** Name of the signed file, for the command that verifies it. */
  readonly fileName: string;
}

const shownMeasurements = 10;

/** The whole page as text. */
export function certificatePage(certificate: Certificate, facts: CertificateFacts): string {
  const { gateway } = certificate;
  return htmlDocument({
    title: `Certificate of conformance: ${gateway.name} ${gateway.firmware}`,
    style: certificateStyle,
    body: html`<main>
      ${heading(certificate)} ${factList(certificate, facts)} ${groupTable(certificate)}
      ${coverageTable(certificate)} ${qualityTable(certificate)} ${measurementTable(certificate)}
      ${exceptions(certificate)} ${seal(certificate, facts)}
    </main>`,
  });
}

function heading({ gateway, suite, requirementSet }: Certificate): Html {
  return html`<header>
    <h1>Certificate of conformance</h1>
    <p class="claim">
      <strong>${gateway.name}</strong> with firmware <strong>${gateway.firmware}</strong> conforms to
      <strong>${suite.interface}</strong>, by requirement set <strong>${requirementSet.name}</strong>.
    </p>
  </header>`;
}

function factList(certificate: Certificate, { keyId }: CertificateFacts): Html {
  const { profile, suite, requirementSet, run, issuer, validFrom, validTo } = certificate;
  const rows: [string, string][] = [
    ["Valid", `${instant(validFrom)} to ${instant(validTo)}`],
    ...productRows(certificate.gateway),
    ["Class", classText(certificate)],
    ["Issued by", issuer ?? "the holder of this key"],
    ["Key thumbprint", keyId],
    ...tlsLines(certificate.gateway.tls).map((line): [string, string] => ["TLS certificate", line]),
    ["Profile", `${profile.name}, SHA-256 ${profile.sha256}`],
    ["Requirement set", `${requirementSet.name}, SHA-256 ${requirementSet.sha256}`],
    ["Suite", `rackproof ${suite.version}`],
    ["Run", `${instant(run.startedAt)} to ${instant(run.endedAt)}, seed ${run.seed}`],
    ["Record, SHA-256", run.campaignSha256],
  ];
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const classWords: Readonly<Record<CertificateClass, string>> = {
  "self-declared": "self-declared: the holder of the key that signed the record vouches for it",
  lab: "lab: a lab that the issuer trusts signed the record",
  witnessed: "witnessed: the run answered a challenge that the issuer gave just before",
};

function classText({ class: own = "self-declared", voucher }: Certificate): string {
  return [
    classWords[own],
    ...(voucher?.lab === undefined ? [] : [voucher.lab]),
    ...(voucher === undefined ? [] : [`record signed by ${voucher.keyId}`]),
  ].join("; ");
}

function productRows({ vendor, model, firmwareSha256 }: Certificate["gateway"]): [string, string][] {
  const rows: [string, string | undefined][] = [
    ["Vendor", vendor],
    ["Model", model],
    ["Firmware, SHA-256", firmwareSha256],
  ];
  return rows.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

type Kind = "passed" | "waived" | "notApplicable" | "notTested";

function groupTable(certificate: Certificate): Html {
  const groupOf = new Map<string, keyof typeof groups>(requirements.map(({ id, group }) => [id, group]));
  const waived = new Set(certificate.waivers.map((one) => one.requirement));
  const counts = new Map<string, Record<Kind, number>>();
  for (const { id, verdict } of certificate.requirements) {
    const group = groupOf.get(id);
    const title = group === undefined ? "Others" : groups[group].title;
    const row = counts.get(title) ?? { passed: 0, waived: 0, notApplicable: 0, notTested: 0 };
    row[kindOf(verdict, waived.has(id))] += 1;
    counts.set(title, row);
  }
  const total = (kind: Kind): number => [...counts.values()].reduce((sum, row) => sum + row[kind], 0);
  const cells = (row: Record<Kind, number>): Html[] =>
    [row.passed, row.waived, row.notApplicable, row.notTested].map((count) => html`<td>${count}</td>`);
  return html`<table>
    <caption>
      Stated requirements by group
    </caption>
    ${columnHeads("Group", "Passed", "Waived", "Not applicable", "Not tested")}
    <tbody>
      ${[...counts].map(
        ([title, row]) =>
          html`<tr>
            <th scope="row">${title}</th>
            ${cells(row)}
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">All</th>
        ${cells({
          passed: total("passed"),
          waived: total("waived"),
          notApplicable: total("notApplicable"),
          notTested: total("notTested"),
        })}
      </tr>
    </tfoot>
  </table>`;
}

/** Observed cells of the interface by group. */
function coverageTable({ coverage }: Certificate): Html | undefined {
  if (coverage === undefined) return undefined;
  return html`<table>
    <caption>
      Coverage: ${coverageLine(coverage)}
    </caption>
    ${columnHeads("Group", "Observed", "Cells")}
    <tbody>
      ${coverage.byGroup.map(
        ({ id, all, observed }) =>
          html`<tr>
            <th scope="row">${titleOf(id)}</th>
            <td>${observed}</td>
            <td>${all}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** What the requirement set itself can detect. */
function qualityTable({ setQuality, requirementSet }: Certificate): Html | undefined {
  if (setQuality === undefined) return undefined;
  const { suite, level, measuredAt, injected, detected, byGroup, undetected, beyond, coverage } = setQuality;
  return html`<table>
      <caption>
        What set ${requirementSet.name} detects: ${detected} of ${injected} injected faults
        ${`(${percentage(detected, injected)})`}, ${coverage.observed} of ${coverage.all} cells of the
        interface observed
      </caption>
      ${columnHeads("Group", "Faults injected", "Detected")}
      <tbody>
        ${byGroup.map(
          (row) =>
            html`<tr>
              <th scope="row">${titleOf(row.id)}</th>
              <td>${row.injected}</td>
              <td>${row.detected}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p>
      <small>
        Measured with rackproof ${suite} at level ${level} on ${measuredAt.slice(0, 10)}, with faults of the
        reference gateway. ${undetected.length > 0 && `Not detected: ${undetected.join(", ")}.`}
        ${beyond > 0 && `${counted(beyond, "further fault")} violate requirements that the set does not contain.`}
      </small>
    </p>`;
}

function percentage(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${((100 * part) / whole).toFixed(1)} %`;
}

function titleOf(group: string): string {
  return Object.entries(groups).find(([known]) => known === group)?.[1].title ?? group;
}

function kindOf(verdict: string, isWaived: boolean): Kind {
  if (isWaived) return "waived";
  if (verdict === "pass") return "passed";
  return verdict === "not-applicable" ? "notApplicable" : "notTested";
}

function measurementTable({ measurements }: Certificate): Html | undefined {
  const limited = measurements.filter(
    ({ limitLow, limitHigh }) => limitLow !== undefined || limitHigh !== undefined,
  );
  if (limited.length === 0) return undefined;
  return html`<table>
    <caption>
      Measurements with limits
      ${limited.length > shownMeasurements && html`(${shownMeasurements} of ${limited.length})`}
    </caption>
    ${columnHeads("Quantity", "Measured", "Limits")}
    <tbody>
      ${limited.slice(0, shownMeasurements).map((one) => {
        const { measured, allowed } = measurementText(one);
        return html`<tr>
          <th scope="row">${one.name} <small>${one.case}</small></th>
          <td>${measured}</td>
          <td>${allowed}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function exceptions({ waivers, beside, advice = [] }: Certificate): Html {
  return html`<section>
    ${
      waivers.length > 0 &&
      html`<h2>Waived</h2>
        <ul>
          ${alike(waivers).map(
            ({ first, requirements: ids }) =>
              html`<li>${first.reason} (${first.who}, until ${first.expires}): ${ids.join(", ")}</li>`,
          )}
        </ul>`
    }
    ${
      beside.length > 0 &&
      html`<p>
        Requirements beside the stated ones that did not pass; these do not decide conformance:
        ${beside.map(({ id, level, verdict }) => `${id} (${level}, ${verdict})`).join(", ")}.
      </p>`
    }
    ${
      advice.length > 0 &&
      html`<h2>Advice</h2>
        <ul>
          ${[...Map.groupBy(advice, ({ source }) => source)].map(
            ([source, same]) => html`<li>${same.map(({ id }) => id).join(", ")} (${source})</li>`,
          )}
        </ul>`
    }
  </section>`;
}

/** Waivers grouped by reason, person and expiry, which keeps a long list on the page. */
function alike(waivers: Certificate["waivers"]): { first: Waiver; requirements: string[] }[] {
  const found = new Map<string, { first: Waiver; requirements: string[] }>();
  for (const waiver of waivers) {
    const key = JSON.stringify([waiver.reason, waiver.who, waiver.expires]);
    const group = found.get(key) ?? { first: waiver, requirements: [] };
    if (!group.requirements.includes(waiver.requirement)) group.requirements.push(waiver.requirement);
    found.set(key, group);
  }
  return [...found.values()];
}

function seal(certificate: Certificate, { fileSha256, fileName }: CertificateFacts): Html {
  const code = qrcode(0, "M");
  code.addData(`sha256:${fileSha256}`);
  code.make();
  const { requirements: all } = certificate;
  return html`<footer>
    <div role="img" aria-label="SHA-256 of the signed certificate, as a QR code">
      ${trusted(code.createSvgTag({ scalable: true, margin: 0 }))}
    </div>
    <div>
      <p>
        This page shows the signed certificate with SHA-256<br /><code>${fileSha256}</code><br />It is no
        evidence by itself. The file lists ${counted(all.length, "requirement")} with their cases. Verify it
        offline with
      </p>
      <p>
        <code>rackproof verify ${fileName} --firmware ${certificate.gateway.firmware} --public-key FILE</code>
      </p>
    </div>
  </footer>`;
}
