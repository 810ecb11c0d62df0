// The sections without an owner of their own: small durable documents.
import Type from "typebox";
import type {
  CarriedSetting,
  ConfigurationSection,
  Foundation,
  ResetPart,
} from "../../foundation/gateway.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";

const Document = Type.Record(Type.String(), Type.Any());
const network = ["network"];

const plain: readonly {
  app: string;
  section: string;
  labels: readonly string[];
  document: Record<string, unknown>;
}[] = [
  { app: "system", section: "core", labels: [], document: { hostName: "gateway" } },
  { app: "system", section: "general", labels: [], document: { description: "", location: "" } },
  { app: "system", section: "discovery", labels: [], document: { interval: 60 } },
  { app: "system", section: "gps", labels: [], document: { enable: false } },
  { app: "system", section: "minicards", labels: [], document: { slots: [] } },
  {
    app: "system",
    section: "serials",
    labels: [],
    document: { ports: [{ name: "ttyM0", mode: "rs485", baudRate: 9600 }] },
  },
  { app: "system", section: "time", labels: [], document: { timezone: "UTC" } },
  { app: "system", section: "cellulars", labels: network, document: { cellulars: [] } },
  { app: "system", section: "dhcpservers", labels: network, document: { servers: [] } },
  {
    app: "system",
    section: "ethernets",
    labels: network,
    document: { lan1: { dhcp: true }, lan2: { dhcp: false } },
  },
  { app: "system", section: "firewall", labels: network, document: { rules: [] } },
  { app: "system", section: "iptables", labels: network, document: { rules: [] } },
  { app: "system", section: "route", labels: network, document: { routes: [] } },
  { app: "system", section: "wifi", labels: network, document: { enable: false } },
  ...["device", "cloud", "edge-web", "eipscanner", "function", "opcuaserver"].map((app) => ({
    app,
    section: "general",
    labels: [],
    document: {},
  })),
];

/** The sections, except those that another group owns, and how a reset restores them. */
export function createPlainSections(
  foundation: Foundation,
  owned: () => readonly ConfigurationSection[],
  carried: () => readonly CarriedSetting[],
): { sections: () => ConfigurationSection[]; resetParts: ResetPart[] } {
  const all = plain.map(({ app, section, labels, document }) => {
    const setting = openSetting(foundation.store, `section/${app}/${section}`, Document, () => document);
    const entry: ConfigurationSection = {
      app,
      section,
      labels,
      read: () => setting.get(),
      check(value) {
        if (typeof value !== "object" || value === null || Array.isArray(value))
          throw badInput(`${app}/${section}: expected an object`);
        assertStorable(`${app}/${section}`, value);
      },
      write: (value) => setting.set(value as Record<string, unknown>),
    };
    return { entry, setting };
  });
  const core = all.find(({ entry }) => entry.section === "core")?.entry;
  const isOwned = ({ app, section }: ConfigurationSection): boolean =>
    owned().some((other) => other.app === app && other.section === section);
  return {
    sections: () =>
      all
        .map(({ entry }) => (entry === core ? withSettings(entry, carried()) : entry))
        .filter((entry) => !isOwned(entry)),
    resetParts: all.map(({ entry, setting }) => ({
      // No scope names the plain sections, so only `all` resets them.
      scopes: ["all"],
      isNetwork: entry.labels.includes("network"),
      reset: () => setting.reset(),
    })),
  };
}

const deepestLevel = 32;

/** Rejects what the store cannot keep exactly: integers that a double cannot hold, and deep nesting. */
function assertStorable(place: string, value: unknown, level = 0): void {
  if (level > deepestLevel) throw badInput(`${place}: expected at most ${deepestLevel} levels`);
  if (typeof value === "bigint") throw badInput(`${place}: the integer ${value} is out of range`);
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) assertStorable(place, inner, level + 1);
}

/** The section with the settings of the groups. An older file may lack one; it stays unchanged. */
function withSettings(
  section: ConfigurationSection,
  carried: readonly CarriedSetting[],
): ConfigurationSection {
  const partOf = (document: unknown): { settings: Record<string, unknown>; own: unknown } => {
    if (typeof document !== "object" || document === null || !("settings" in document))
      return { settings: {}, own: document };
    const { settings, ...own } = document;
    if (typeof settings !== "object" || settings === null)
      throw badInput(`${section.app}/${section.section}: expected an object in settings`);
    return { settings: { ...settings }, own };
  };
  const present = (settings: Record<string, unknown>): CarriedSetting[] =>
    carried.filter(({ name }) => settings[name] !== undefined);
  return {
    ...section,
    read: () => ({
      ...Object(section.read()),
      settings: Object.fromEntries(carried.map((one) => [one.name, one.get()])),
    }),
    check(document) {
      const { settings, own } = partOf(document);
      section.check(own);
      for (const one of present(settings)) {
        try {
          one.check(settings[one.name]);
        } catch (thrown) {
          throw badInput(thrown instanceof Error ? thrown.message : `settings: ${one.name} does not fit`);
        }
      }
    },
    write(document) {
      const { settings, own } = partOf(document);
      section.write(own);
      for (const one of present(settings)) one.take(settings[one.name]);
    },
  };
}
