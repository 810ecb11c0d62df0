// The lists of a registry: all certificates, and those of one vendor, model, firmware or requirement set.
import { createHash } from "node:crypto";
import type { RegisteredCertificate, RegistryIndex } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html } from "../markup/template.ts";
import { instant } from "../text/durations.ts";
import { counted } from "../text/visibleText.ts";
import { siteStyle } from "./siteStyle.ts";

/** A file of the site. */
export type SiteFile = readonly [path: string, text: string];

const rowsPerPage = 200;
const undeclared = "not declared";

const filters = [
  { id: "vendor", name: "Vendor", of: ({ vendor }: RegisteredCertificate) => vendor ?? undeclared },
  { id: "model", name: "Model", of: ({ model }: RegisteredCertificate) => model },
  {
    id: "firmware",
    name: "Firmware",
    of: ({ model, firmware }: RegisteredCertificate) => `${model} ${firmware}`,
  },
  { id: "set", name: "Requirement set", of: ({ set }: RegisteredCertificate) => set },
] as const;

/** Every list page. */
export function listPages(index: RegistryIndex): SiteFile[] {
  // The newest first.
  const all = index.certificates.toReversed();
  return [
    ...list(index, "", "Certified gateways", all),
    ...filters.flatMap(({ id, name, of }) => {
      const values = [...Map.groupBy(all, of)].toSorted(([a], [b]) => a.localeCompare(b));
      return [
        valuesPage(index, id, name, values),
        ...values.flatMap(([value, some]) =>
          list(index, `by/${id}/${slug(value)}/`, `${name}: ${value}`, some),
        ),
      ];
    }),
  ];
}

/** The pages of one list: `index.html` and `page-2.html` onwards. */
function list(
  index: RegistryIndex,
  folder: string,
  title: string,
  certificates: readonly RegisteredCertificate[],
): SiteFile[] {
  const count = Math.max(1, Math.ceil(certificates.length / rowsPerPage));
  const base = "../".repeat(folder.split("/").length - 1);
  const nameOf = (page: number): string => (page === 0 ? "index.html" : `page-${page + 1}.html`);
  return Array.from({ length: count }, (_, page): SiteFile => {
    const rows = certificates.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
    const range =
      count === 1
        ? counted(certificates.length, "certificate")
        : `${page * rowsPerPage + 1} to ${page * rowsPerPage + rows.length} of ${counted(certificates.length, "certificate")}`;
    const pages =
      count > 1 &&
      html`<nav aria-label="Pages of the list">
        <ul>
          ${Array.from({ length: count }, (_unused, other) =>
            other === page
              ? html`<li aria-current="page">${other + 1}</li>`
              : html`<li><a href="${nameOf(other)}">${other + 1}</a></li>`,
          )}
        </ul>
      </nav>`;
    const body = html`<h1>${title}</h1>
      <table>
        <caption>
          ${range}, the newest first
        </caption>
        ${columnHeads("Model", "Vendor", "Firmware", "Set", "Class", "Valid until", "State")}
        <tbody>
          ${rows.map((one) => row(one, base))}
        </tbody>
      </table>
      ${pages}`;
    const pageTitle = page === 0 ? title : `${title}, page ${page + 1}`;
    return [`${folder}${nameOf(page)}`, sitePage(index, pageTitle, base, body)];
  });
}

function row(one: RegisteredCertificate, base: string): Html {
  return html`<tr>
    <th scope="row"><a href="${base}certificates/${one.certificateSha256}/index.html">${one.model}</a></th>
    <td>${one.vendor ?? undeclared}</td>
    <td>${one.firmware}</td>
    <td>${one.set}</td>
    <td>${one.class ?? undeclared}</td>
    <td>${one.validTo.slice(0, 10)}</td>
    <td><span class="${one.state}">${one.state}</span></td>
  </tr>`;
}

/** The values by which a list can be filtered, each with a link. */
function valuesPage(
  index: RegistryIndex,
  id: string,
  name: string,
  values: readonly (readonly [value: string, some: readonly RegisteredCertificate[]])[],
): SiteFile {
  const body = html`<h1>Certified gateways by ${name.toLowerCase()}</h1>
    <ul>
      ${values.map(
        ([value, some]) => html`<li><a href="${slug(value)}/index.html">${value}</a>, ${some.length}</li>`,
      )}
    </ul>`;
  return [
    `by/${id}/index.html`,
    sitePage(index, `Certified gateways by ${name.toLowerCase()}`, "../../", body),
  ];
}

/** The frame of every page; `base` leads from its folder to that of the registry. */
export function sitePage(
  { origin, builtAt, size, root }: RegistryIndex,
  title: string,
  base: string,
  body: Html,
): string {
  return htmlDocument({
    title: `${title}, ${origin}`,
    style: siteStyle,
    body: html`<nav aria-label="Lists">
        <ul>
          <li><a href="${base}index.html">All certificates</a></li>
          ${filters.map(({ id, name }) => html`<li><a href="${base}by/${id}/index.html">${name}</a></li>`)}
          <li><a href="${base}index.json">JSON</a></li>
        </ul>
      </nav>
      <main>
        ${body}
        <footer>
          Registry ${origin}, as of ${instant(builtAt)}: ${counted(size, "log entry")}, root
          <code>${root}</code>
        </footer>
      </main>`,
  });
}

/** A folder name for a value: readable, and different for different values. */
function slug(value: string): string {
  const readable = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .slice(0, 40);
  return `${readable}-${createHash("sha256").update(value).digest("hex").slice(0, 8)}`.replace(/^[.-]+/, "");
}
