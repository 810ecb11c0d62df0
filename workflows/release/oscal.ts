// The certificate as OSCAL assessment results (pages.nist.gov/OSCAL), for tools that collect evidence of compliance.
import { createHash } from "node:crypto";
import { requirements as allRequirements } from "../../interface/requirements/index.ts";
import type { Certificate } from "../../record/index.ts";

/** Version of the format; later patches accept the document too. */
const oscalVersion = "1.2.1";
const propertyNamespace = "https://rackproof.invalid/ns/oscal";

interface Property {
  readonly name: string;
  readonly ns: string;
  readonly value: string;
}

/** The document. Its ids follow from the digest of the certificate: the same certificate gives the same document. */
export function oscalOf(certificate: Certificate, certificateSha256: string): object {
  const { gateway, run, requirementSet, suite, issuedAt, issuer, requirements, cases } = certificate;
  const id = (name: string): string => uuidOf(`${propertyNamespace}/${certificateSha256}/${encodeURI(name)}`);
  const product = line([gateway.vendor ?? "", gateway.model ?? gateway.name, gateway.firmware].join(" "));
  const plan = id("requirement set");
  const assessor = id("assessor");
  const waivers = new Map(certificate.waivers.map((waiver) => [waiver.requirement, waiver]));
  const statements = new Map<string, string>(allRequirements.map((one) => [one.id, one.statement]));
  const decided = requirements.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  return {
    "assessment-results": {
      uuid: id("document"),
      metadata: {
        title: `Conformance of ${product} to ${line(suite.interface)}`,
        "last-modified": issuedAt,
        version: "1",
        "oscal-version": oscalVersion,
        roles: [{ id: "assessor", title: "Assessor" }],
        parties: [
          { uuid: assessor, type: "organization", name: line(issuer ?? "holder of the signing key") },
        ],
        "responsible-parties": [{ "role-id": "assessor", "party-uuids": [assessor] }],
      },
      "import-ap": { href: `#${plan}` },
      results: [
        {
          uuid: id("result"),
          title: `Requirement set ${requirementSet.name}`,
          description: `Certification run of rackproof ${suite.version}, seed ${run.seed}.`,
          start: run.startedAt,
          end: run.endedAt,
          props: properties({
            "valid-from": certificate.validFrom,
            "valid-to": certificate.validTo,
            "certificate-sha256": certificateSha256,
            "record-sha256": run.campaignSha256,
          }),
          "local-definitions": {
            components: [
              {
                uuid: id("gateway"),
                type: "hardware",
                title: product,
                description: "The gateway under test.",
                props: properties({
                  name: gateway.name,
                  "firmware-version": gateway.firmware,
                  "firmware-sha256": gateway.firmwareSha256,
                  vendor: gateway.vendor,
                  model: gateway.model,
                  "profile-sha256": certificate.profile.sha256,
                }),
                status: { state: "operational" },
              },
            ],
          },
          "reviewed-controls": {
            "control-selections": [{ "include-controls": decided.map((one) => ({ "control-id": one.id })) }],
          },
          observations: cases.map((one) => ({
            uuid: id(`case ${one.id}`),
            title: line(one.id),
            description: `Verdict of the case: ${one.verdict}.`,
            methods: ["TEST"],
            types: ["control-objective"],
            subjects: [{ "subject-uuid": id("gateway"), type: "component" }],
            collected: run.endedAt,
            expires: certificate.validTo,
          })),
          findings: decided.map(({ id: requirement, verdict }) => {
            const waiver = waivers.get(requirement);
            return {
              uuid: id(`requirement ${requirement}`),
              title: requirement,
              description: statements.get(requirement) ?? requirement,
              target: {
                type: "objective-id",
                "target-id": requirement,
                status: {
                  state: verdict === "pass" ? "satisfied" : "not-satisfied",
                  reason: verdict === "pass" ? "pass" : "fail",
                  ...(waiver === undefined
                    ? {}
                    : { remarks: `Waived until ${waiver.expires} by ${waiver.who}: ${waiver.reason}` }),
                },
              },
              "related-observations": cases
                .filter((one) => one.decided.some((decision) => decision.requirement === requirement))
                .map((one) => ({ "observation-uuid": id(`case ${one.id}`) })),
            };
          }),
        },
      ],
      "back-matter": {
        resources: [
          {
            uuid: plan,
            title: `Requirement set ${requirementSet.name} of rackproof`,
            rlinks: [
              {
                href: `requirement-set-${requirementSet.name}.json`,
                hashes: [{ algorithm: "SHA-256", value: requirementSet.sha256 }],
              },
            ],
          },
        ],
      },
    },
  };
}

function properties(values: Readonly<Record<string, string | undefined>>): Property[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value.trim() === "" ? [] : [{ name, ns: propertyNamespace, value: line(value) }],
  );
}

/** The format allows neither line breaks nor space at the ends. */
function line(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim() || "not declared";
}

/** Namespace of URLs in RFC 9562. */
const urlNamespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

/** The UUID of version 5 (RFC 9562) for a URL. */
export function uuidOf(url: string): string {
  const bytes = createHash("sha1").update(urlNamespace).update(url).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
