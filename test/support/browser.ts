// A real browser: the Chromium of this machine, driven by playwright-core, which includes no browser.
import axe from "axe-core";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";

export const chromiumProgram = "chromium";

const flags = [
  // Chromium refuses its sandbox to root, as which CI runs; the pages it is given are our own.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface RealBrowser extends AsyncDisposable {
  /** A page in a session of its own, without a network: what asks for anything but files fails to get it. */
  page(options?: BrowserContextOptions): Promise<OpenPage>;
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of on the console, what the page threw, and what it asked a network for. */
  readonly complaints: readonly string[];
}

/** Starts it with an empty profile, which is gone when it ends. */
export async function openBrowser(): Promise<RealBrowser> {
  const browser = await chromium.launch({ executablePath: `/usr/bin/${chromiumProgram}`, args: flags });
  return {
    async page(options = {}) {
      const context = await browser.newContext({ offline: true, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => void complaints.push(message.text()));
      page.on("pageerror", (error) => void complaints.push(error.message));
      page.on("request", (request) => {
        if (!/^(?:file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
      });
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** What axe finds wrong with the page as it is shown, a line each. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html ?? ""}`);
}
