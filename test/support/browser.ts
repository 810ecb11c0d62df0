// A real browser: the Chromium of this machine, driven by playwright-core, which brings none of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";

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

export interface OpenBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/** Starts it with an empty profile, without a network: a page that asks for anything but files fails to get it. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<OpenBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-browser-"));
  try {
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: `/usr/bin/${chromiumProgram}`,
      args: flags,
      offline: true,
      ...options,
    });
    return {
      context,
      async [Symbol.asyncDispose]() {
        await context.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}
