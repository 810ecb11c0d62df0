// The certificate as an in-toto Statement v1 with the predicate test-result v0.1, for tools that read attestations.
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { Certificate } from "../../record/index.ts";
import { Envelope, openEnvelope } from "./dsse.ts";

export const statementMediaType = "application/vnd.in-toto+json";

/** in-toto ResourceDescriptor, as far as it is used here. */
interface Resource {
  readonly name: string;
  readonly uri?: string;
  readonly digest?: { readonly sha256: string };
}

interface Statement {
  readonly _type: "https://in-toto.io/Statement/v1";
  readonly subject: readonly Resource[];
  readonly predicateType: "https://in-toto.io/attestation/test-result/v0.1";
  readonly predicate: {
    readonly result: "PASSED" | "WARNED";
    readonly configuration: readonly Resource[];
    /** Ids of requirements. */
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

const Configuration = Type.Object({
  predicate: Type.Object({
    configuration: Type.Array(
      Type.Object({ digest: Type.Optional(Type.Object({ sha256: Type.Optional(Type.String()) })) }),
    ),
  }),
});

/** Digests in the configuration of the statement in an envelope; undefined unless the key in PEM signed it. */
export function digestsIn(envelope: string, publicPem: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(envelope);
    if (checker(Envelope)(value).length > 0) return undefined;
    const statement: unknown = JSON.parse(openEnvelope(value as Envelope, publicPem) ?? "");
    if (checker(Configuration)(statement).length > 0) return undefined;
    return (statement as Static<typeof Configuration>).predicate.configuration.flatMap(
      ({ digest }) => digest?.sha256 ?? [],
    );
  } catch {
    return undefined;
  }
}

/**
 * The subject is the vendor's firmware file, or without its digest the record of the run: a statement must not name a
 * digest that nobody declared. Waived requirements are warnings. `files`: SHA-256 of the files beside it by name.
 */
export function statementOf(certificate: Certificate, files: Readonly<Record<string, string>>): Statement {
  const { gateway, suite, requirementSet, profile, run, requirements, waivers } = certificate;
  const product = [gateway.vendor, gateway.model ?? gateway.name, gateway.firmware].filter(
    (part) => part !== undefined,
  );
  const waived = new Set(waivers.map(({ requirement }) => requirement));
  const resource = (name: string, sha256: string): Resource => ({ name, digest: { sha256 } });
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      gateway.firmwareSha256 === undefined
        ? resource(`record of ${product.join(" ")}`, run.campaignSha256)
        : resource(product.join(" "), gateway.firmwareSha256),
    ],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: waived.size === 0 ? "PASSED" : "WARNED",
      configuration: [
        { name: "suite", uri: `pkg:npm/rackproof@${suite.version}` },
        resource(`requirement set ${requirementSet.name}`, requirementSet.sha256),
        resource(`profile ${profile.name}`, profile.sha256),
        resource("campaign.json", run.campaignSha256),
        resource("digests.json", run.digestsSha256),
        ...Object.entries(files).map(([name, digest]) => resource(name, digest)),
      ],
      passedTests: requirements
        .filter(({ id, verdict }) => verdict === "pass" && !waived.has(id))
        .map(({ id }) => id),
      warnedTests: [...waived],
      failedTests: requirements
        .filter(({ id, verdict }) => verdict === "fail" && !waived.has(id))
        .map(({ id }) => id),
    },
  };
}
