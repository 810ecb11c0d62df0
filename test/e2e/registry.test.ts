// A registry from the command line to the browser, without a script.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RegistryIndex } from "../../record/index.ts";
import { certificatePage } from "../../reports/certificate/certificatePage.ts";
import { certificateSiteFiles } from "../../reports/registrySite/certificateSitePage.ts";
import { listPages } from "../../reports/registrySite/listPages.ts";
import { writeFiles } from "../../workflows/registry/build.ts";
import { certificateFiles } from "../../workflows/release/certificateFiles.ts";
import { newestFrozenSet } from "../../workflows/release/requirementSet.ts";
import { readSetQuality } from "../../workflows/release/setQuality.ts";
import { newKeyPair } from "../../workflows/release/signature.ts";
import { flawlessCertificate } from "../../workflows/release/testing/certificates.ts";
import {
  accessibilityViolations,
  chromiumProgram,
  openBrowser,
  type RealBrowser,
} from "../support/browser.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { lacks } from "../support/equipment.ts";

const withoutChromium = lacks(chromiumProgram);
const stack = new AsyncDisposableStack();
let browser: RealBrowser;
let folder = "";

beforeAll(async () => {
  folder = stack.use(await temporaryFolder()).path;
  if (!withoutChromium) browser = stack.use(await openBrowser());
}, 60_000);
afterAll(() => stack.disposeAsync());

/** Signs a certificate that is valid now and writes its files. */
async function certify(name: string, firmware: string, keys: { privatePem: string }): Promise<string> {
  const certificate = flawlessCertificate({
    validFrom: "2020-01-01T00:00:00.000Z",
    validTo: "2090-01-01T00:00:00.000Z",
    gateway: { name: "gw", kind: "remote", firmware, vendor: "Acme", model: "G1" },
  });
  const { texts } = await certificateFiles(certificate, keys.privatePem, name);
  for (const file of Object.values(texts)) await writeFile(join(folder, file.name), file.text);
  return join(folder, texts.certificate.name);
}

/** Serves the files of a folder over HTTP. */
async function serveFiles(root: string): Promise<{ address: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
    readFile(join(root, path)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/public`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

test("certificates are added, revoked and published; verify accepts, refuses and names the reason", async () => {
  const keys = await newKeyPair();
  const key = join(folder, "registry.key");
  await rackproof(["key", "new", key]);
  const [one, two, three] = [
    await certify("one", "4.1.0", keys),
    await certify("two", "4.2.0", keys),
    await certify("three", "4.3.0", keys),
  ];
  const registry = join(folder, "public");
  const added = await rackproof(["registry", "add", registry, one, two]);
  expect(added).toMatchObject({ exitCode: 0, stdout: `${one}: added\n${two}: added`.trim() });
  expect((await rackproof(["registry", "add", registry, one])).stdout).toBe(`${one}: already registered`);
  const spoilt = join(folder, "spoilt.json");
  await writeFile(spoilt, (await readFile(one, "utf8")).replace("A", "B"));
  expect(await rackproof(["registry", "add", registry, spoilt])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("[SIGNATURE]") as unknown,
  });
  expect((await rackproof(["registry", "revoke", registry, two, "--reason", "recalled"])).exitCode).toBe(0);
  expect(await rackproof(["registry", "revoke", registry, three, "--reason", "x"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("[NOT_REGISTERED]") as unknown,
  });
  const built = await rackproof([
    "registry",
    "build",
    registry,
    "--key",
    key,
    "--origin",
    "r.example",
    "--json",
  ]);
  expect(JSON.parse(built.stdout)).toMatchObject({ origin: "r.example", size: 3, valid: 1, revoked: 1 });

  await using server = await serveFiles(folder);
  const verify = async (file: string, place: string, ...words: string[]) => {
    const { exitCode, stderr } = await rackproof(["verify", file, "--registry", place, ...words]);
    return [exitCode, /\[([A-Z_]+)\]/.exec(stderr)?.[1]];
  };
  const trusted = ["--registry-key", `${key}.pub`];
  expect(await verify(one, registry, ...trusted)).toEqual([0, undefined]);
  expect(await verify(one, server.address)).toEqual([0, undefined]);
  expect(await verify(two, server.address)).toEqual([1, "REVOKED"]);
  expect(await verify(three, registry)).toEqual([1, "NOT_REGISTERED"]);
  expect(await verify(one, `${server.address}/none`)).toEqual([2, "REGISTRY_UNREADABLE"]);

  // A published entry cannot be changed.
  const log = join(registry, "log.jsonl");
  await writeFile(log, (await readFile(log, "utf8")).replace("4.1.0", "4.9.0"));
  expect(await rackproof(["registry", "build", registry, "--key", key])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("[REGISTRY_CHANGED]") as unknown,
  });
});

const certificate = {
  at: "2027-01-01T00:00:00.000Z",
  keyId: "k".repeat(43),
  vendor: "Acme & Sons",
  model: "G<1>",
  firmware: "4.1.0",
  interface: "Core 2.3.0",
  set: "1.0",
  suite: "1.0.0",
  validFrom: "2027-01-01T00:00:00.000Z",
  validTo: "2028-01-01T00:00:00.000Z",
  passed: 526,
  waived: 1,
};
const states = [
  { state: "valid" as const },
  { state: "expired" as const, vendor: "Other" },
  { state: "revoked" as const, revokedAt: "2027-02-01T00:00:00.000Z", reason: "recalled" },
];
const index: RegistryIndex = {
  format: "rackproof/registry@1",
  origin: "r.example",
  builtAt: "2027-03-01T00:00:00.000Z",
  size: 451,
  root: "ab".repeat(32),
  certificates: Array.from({ length: 450 }, (_, place) => ({
    ...certificate,
    certificateSha256: place.toString(16).padStart(64, "0"),
    index: place,
    ...states[place % 3],
    state: states[place % 3]?.state ?? "valid",
  })),
};

test.skipIf(withoutChromium)(
  "lists, filters, pages of certificates and badges are accessible without a script, light and dark",
  async () => {
    const root = join(folder, "site");
    const files = index.certificates
      .slice(-3)
      .flatMap((one) => certificateSiteFiles(index, one, ["certificate.json", "certificate.html"]));
    await writeFiles(root, [...listPages(index), ...files]);
    const complaints: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await using open = await browser.page({ colorScheme, javaScriptEnabled: false });
      const { page } = open;
      const check = async (): Promise<void> => {
        // Axe is a script of the test; the page has none.
        await using examined = await browser.page({ colorScheme });
        await examined.page.goto(page.url());
        complaints.push(...(await accessibilityViolations(examined.page)), ...examined.complaints);
      };
      await page.goto(pathToFileURL(join(root, "index.html")).href);
      expect(await page.locator("tbody tr").count()).toBe(200);
      await check();
      await page.getByRole("link", { name: "3", exact: true }).click();
      expect(await page.locator("caption").innerText()).toBe(
        "401 to 450 of 450 certificates, the newest first",
      );
      await page.getByRole("link", { name: "Vendor" }).click();
      await check();
      await page.getByRole("link", { name: "Other" }).click();
      expect(await page.locator("caption").innerText()).toBe("150 certificates, the newest first");
      expect(new Set(await page.locator("tbody td:last-child").allInnerTexts())).toEqual(
        new Set(["expired"]),
      );
      await page.getByRole("link", { name: "All certificates" }).click();
      for (const text of [/^Revoked on 2027-02-01 .*: recalled$/, /^Expired on 2028/, /^Valid until 2028/]) {
        await page.goto(pathToFileURL(join(root, "index.html")).href);
        const state = text.source.slice(1).split(" ")[0]?.toLowerCase() ?? "";
        await page
          .locator("tr", { has: page.locator(`.${state}`) })
          .first()
          .getByRole("link")
          .click();
        expect(await page.locator(`p.${state}`).innerText()).toMatch(text);
        expect(await page.locator("h1").innerText()).toBe("G<1>, firmware 4.1.0");
        await page.getByRole("img").waitFor();
        await check();
      }
      complaints.push(...open.complaints);
    }
    expect(complaints).toEqual([]);
    const badge = await readFile(
      join(root, "certificates", index.certificates.at(-1)?.certificateSha256 ?? "", "badge.svg"),
      "utf8",
    );
    expect(badge).toMatch(/^<svg\s.*>revoked<\/text>/s);
  },
);

test.skipIf(withoutChromium)("the printable certificate is accessible, light and dark", async () => {
  const setQuality = readSetQuality(newestFrozenSet());
  const certificate = flawlessCertificate({
    class: "witnessed",
    voucher: { keyId: "k".repeat(43), lab: "Test lab" },
    ...(setQuality === undefined ? {} : { setQuality }),
  });
  const facts = { fileSha256: "ab".repeat(32), keyId: "k".repeat(43), fileName: "certificate.json" };
  const file = join(folder, "printable.html");
  await writeFile(file, certificatePage(certificate, facts));
  for (const colorScheme of ["light", "dark"] as const) {
    await using open = await browser.page({ colorScheme });
    await open.page.goto(pathToFileURL(file).href);
    expect([...(await accessibilityViolations(open.page)), ...open.complaints]).toEqual([]);
  }
});
