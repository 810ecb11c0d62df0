// The formats of a certificate that other tools read: DSSE with an in-toto statement, and OSCAL.
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { sha256 } from "../../record/digests.ts";
import { envelop, openEnvelope, preAuthEncoding } from "./dsse.ts";
import { oscalOf, uuidOf } from "./oscal.ts";
import { newKeyPair } from "./signature.ts";
import { statementMediaType, statementOf } from "./statement.ts";
import { flawlessCertificate } from "./testing/certificates.ts";

const certificate = flawlessCertificate();
const [first, second] = certificate.requirements.map(({ id }) => id);
const waiver = {
  check: certificate.cases[0]?.id ?? "",
  requirement: first ?? "",
  reason: "fixed in 4.2",
  who: "Ada",
  expires: "2027-03-31",
  evidenceSha256: sha256("e"),
};

test("the pre-authentication encoding is that of the DSSE specification", () => {
  const encoded = preAuthEncoding("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(encoded.toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  // Lengths count bytes, not characters.
  expect(preAuthEncoding("é", Buffer.from("ü€")).toString()).toBe("DSSEv1 2 é 5 ü€");
});

/** Base64 with another first character. */
const withOtherStart = (text: string): string => `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;

test("an envelope opens with its own key, and not after a change of payload, type, signature or key", async () => {
  const { privatePem, publicPem } = await newKeyPair();
  const envelope = envelop(statementMediaType, '{"a":1}', privatePem, "id");
  expect(openEnvelope(envelope, publicPem)).toBe('{"a":1}');
  const [signature] = envelope.signatures;
  const changes = [
    { payload: Buffer.from('{"a":2}').toString("base64") },
    { payloadType: "text/plain" },
    { signatures: [{ keyid: "id", sig: withOtherStart(signature?.sig ?? "") }] },
    { signatures: [] },
  ];
  expect(changes.map((change) => openEnvelope({ ...envelope, ...change }, publicPem))).toEqual(
    changes.map(() => undefined),
  );
  expect(openEnvelope(envelope, (await newKeyPair()).publicPem)).toBeUndefined();
});

test("the subject is the declared firmware file, or else the record; waived requirements are warnings", () => {
  const plain = statementOf(certificate, {});
  expect(plain.subject).toEqual([
    { name: "record of gw 4.1.0", digest: { sha256: certificate.run.campaignSha256 } },
  ]);
  expect(plain.predicate).toMatchObject({ result: "PASSED", warnedTests: [], failedTests: [] });
  expect(plain.predicate.passedTests).toEqual(certificate.requirements.map(({ id }) => id));

  const firmwareSha256 = sha256("firmware");
  const waived = statementOf(
    flawlessCertificate({
      gateway: { ...certificate.gateway, vendor: "Acme", model: "G1", firmwareSha256 },
      requirements: certificate.requirements.map(({ id, verdict }) => ({
        id,
        verdict: id === first ? "fail" : verdict,
      })),
      waivers: [waiver],
    }),
    { "certificate.json": sha256("file") },
  );
  expect(waived.subject).toEqual([{ name: "Acme G1 4.1.0", digest: { sha256: firmwareSha256 } }]);
  expect(waived.predicate).toMatchObject({ result: "WARNED", warnedTests: [first], failedTests: [] });
  expect(waived.predicate.passedTests).not.toContain(first);
  expect(waived.predicate.passedTests).toContain(second);
  expect(waived.predicate.configuration).toContainEqual({
    name: "certificate.json",
    digest: { sha256: sha256("file") },
  });
});

const schemaFile = new URL("../../test/fixtures/oscal-assessment-results-1.2.3.schema.json", import.meta.url);

test("the OSCAL document is valid against the published schema, whatever the names contain", async () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(await readFile(schemaFile, "utf8")) as object);
  const errorsOf = (document: object): unknown[] => (validate(document), validate.errors ?? []);
  const odd = flawlessCertificate({
    issuer: " Test\nlab ",
    gateway: { ...certificate.gateway, name: " \t", vendor: "A\u2028B", model: "", firmware: "4 " },
    requirements: certificate.requirements.map(({ id, verdict }) => ({
      id,
      verdict: id === first ? "fail" : id === second ? "not-applicable" : verdict,
    })),
    waivers: [waiver],
  });
  for (const one of [certificate, odd]) expect(errorsOf(oscalOf(one, sha256("file")))).toEqual([]);
  expect(errorsOf({ "assessment-results": {} })).not.toEqual([]);

  const text = JSON.stringify(oscalOf(odd, sha256("file")));
  expect(text).toContain("Waived until 2027-03-31 by Ada: fixed in 4.2");
  expect([...text.matchAll(/"state":"not-satisfied"/g)]).toHaveLength(1);
  expect(text).not.toContain(`"target-id":"${second}"`);
  expect(JSON.stringify(oscalOf(odd, sha256("file")))).toBe(text);
});

test("ids are UUIDs of version 5", () => {
  // From Python: uuid.uuid5(uuid.NAMESPACE_URL, "https://example.org/a").
  expect(uuidOf("https://example.org/a")).toBe("77980eae-c343-5b01-9823-eb6ac1da021f");
});
