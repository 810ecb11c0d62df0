// Writers that run until the power cut, with the writes that the gateway acknowledged.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { entryMarks } from "../support/entryCategories.ts";

/** One kind of writes and the way to read them back. */
export interface Writer {
  /** The things written, in words: `log entries`. */
  readonly what: string;
  readonly requirement: string;
  /** Writes number n. */
  write(number: number): Promise<Answer>;
  /** Numbers stored on the gateway now, and incomplete writes of this writer. */
  read(): Promise<{ readonly numbers: ReadonlySet<number>; readonly broken: readonly string[] }>;
  /** True when a later write replaces an earlier one. */
  readonly keepsLastOnly?: boolean;
  clean?(numbers: ReadonlySet<number>): Promise<void>;
}

const pageLimit = 100;
const firstPort = 3000;

/** Log entries of one name, with the number in the message. */
export async function eventWriter(context: CaseContext): Promise<Writer> {
  const { gateway, random, clock } = context;
  const own = `rp${random.word(8)}`;
  const sent = (await entryMarks(context)).category(own);
  return {
    what: "log entries",
    requirement: "CORE-POWER-02",
    write: (number) =>
      gateway.admin.call("createEvent", {
        json: {
          category: sent,
          event: own,
          origin: own,
          message: `number ${number} of ${own}`,
          severity: "info",
          user: "",
          userOrigin: "127.0.0.1",
          createdAt: new Date(clock.epochMs()).toISOString(),
        },
      }),
    async read() {
      const numbers = new Set<number>();
      const broken: string[] = [];
      for (let offset = 0, total = 1; offset < total; offset += pageLimit) {
        const page = (
          await gateway.admin.call("getEvents", { query: { limit: pageLimit, offset, eventNames: own } })
        ).body();
        total = page.total;
        for (const { message, category, origin } of page.data) {
          const [, number] = new RegExp(`^number (\\d+) of ${own}$`).exec(message) ?? [];
          if (number === undefined || category !== sent || origin !== own) broken.push(message);
          else numbers.add(Number(number));
        }
        if (page.data.length === 0) break;
      }
      return { numbers, broken };
    },
  };
}

/** The SSH port, set to another number by each write. */
export function settingWriter({ gateway }: CaseContext, before: { enable: boolean; port: number }): Writer {
  return {
    what: "SSH port settings",
    requirement: "CORE-POWER-03",
    keepsLastOnly: true,
    write: (number) => gateway.admin.call("setSsh", { json: { ...before, port: firstPort + number } }),
    async read() {
      const { port, enable } = (await gateway.admin.call("getSsh")).data();
      const number = port === before.port ? 0 : port - firstPort;
      const isWhole = enable === before.enable && number >= 0;
      return { numbers: new Set([number]), broken: isWhole ? [] : [JSON.stringify({ port, enable })] };
    },
  };
}

/** Virtual tags, with the number in name and unit. */
export function virtualTagWriter({ gateway, random, profile }: CaseContext): Writer {
  const own = `rp${random.word(8)}`;
  const { provider: prvdName, source: srcName } = profile.virtualTags;
  const nameOf = (number: number): string => `${own}-${number}`;
  return {
    what: "virtual tags",
    requirement: "CORE-POWER-04",
    write: (number) =>
      gateway.admin.call("createVirtualTag", {
        json: {
          prvdName,
          srcName,
          tagName: nameOf(number),
          dataType: "int32",
          access: "rw",
          dataUnit: `u${number}`,
        },
      }),
    async read() {
      const tags = (await gateway.admin.call("listTags"))
        .data()
        .filter(({ tagName }) => tagName.startsWith(own));
      const numbers = new Set<number>();
      const broken: string[] = [];
      for (const { tagName, dataUnit, dataType, access } of tags) {
        const number = Number(tagName.slice(own.length + 1));
        const isWhole = dataUnit === `u${number}` && dataType === "int32" && access === "rw";
        if (isWhole) numbers.add(number);
        else broken.push(JSON.stringify({ tagName, dataUnit, dataType, access }));
      }
      return { numbers, broken };
    },
    async clean(numbers) {
      for (const number of numbers)
        await gateway.admin.call("deleteVirtualTag", {
          json: { prvdName, srcName, tagName: nameOf(number) },
        });
    },
  };
}

/** The email of a user, set to another address by each write. */
export async function userWriter({ gateway, scratch }: CaseContext): Promise<Writer> {
  const user = await scratch.user();
  const addressOf = (number: number): string => `n${number}@example.com`;
  return {
    what: "email settings of a user",
    requirement: "CORE-POWER-06",
    keepsLastOnly: true,
    write: (number) =>
      gateway.admin.call("updateUser", { path: { id: user.id }, json: { email: addressOf(number) } }),
    async read() {
      const { email, name } = (await gateway.admin.call("getUser", { path: { id: user.id } })).data();
      const [, number] = /^n(\d+)@example\.com$/.exec(email ?? "") ?? [];
      const isWhole = name === user.name && (number !== undefined || email === null || email === "");
      return { numbers: new Set([Number(number ?? 0)]), broken: isWhole ? [] : [`${name} ${email ?? ""}`] };
    },
  };
}

const pauseBetweenJobsMs = 40;

/** Upgrade jobs whose file is not served; a job is identified by the id in the answer to its creation. */
export function jobWriter({ gateway, random, profile, clock }: CaseContext): Writer {
  const own = `rp${random.word(8)}`;
  const query = { deleteFileAfterInstallComplete: true };
  const idByNumber = new Map<number, number>();
  return {
    what: "upgrade jobs",
    requirement: "CORE-POWER-07",
    async write(number) {
      await clock.delay(pauseBetweenJobsMs);
      // Port 9 discards all input: the download receives no byte, and no installation follows.
      const url = `http://${gateway.host.address}:9/${own}-${number}.bin`;
      const answer = await gateway.admin.call("createUpgradeJob", {
        json: { url, download: true, install: false },
      });
      if (answer.accepted) idByNumber.set(number, answer.data().id);
      return answer;
    },
    async read() {
      const ids = new Set((await gateway.admin.call("listUpgradeJobs")).data().map(({ id }) => id));
      const held = [...idByNumber].filter(([, id]) => ids.has(id));
      return { numbers: new Set(held.map(([number]) => number)), broken: [] };
    },
    async clean() {
      for (const id of idByNumber.values()) {
        await gateway.admin.call("operateUpgradeJob", { path: { id, action: "cancel" }, query });
        if (profile.extensions.has("deleteUpgradeJob"))
          await gateway.admin.callExtension("deleteUpgradeJob", { path: { id } });
      }
    },
  };
}
