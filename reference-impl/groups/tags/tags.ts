// Group 13: the tag service.
import type { Tag, TagDataType, VirtualTagInput } from "../../../interface/resources/tags.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { type Answer, type Call, data, json } from "../../http/handler.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import { toTagValue } from "./dataTypes.ts";
import { Feeds } from "./feed.ts";
import { monitor, type Monitored } from "./monitor.ts";
import type { TagName } from "./names.ts";
import { TagRegistry } from "./provider.ts";
import { createSimulator } from "./simulator.ts";
import { createSystemProvider } from "./systemProvider.ts";
import { type Intake, ValueTable } from "./values.ts";
import { VirtualTags } from "./virtualTags.ts";

export interface TagSurroundings {
  /** Whether the app that carries the provider runs. */
  readonly isProviderRunning: (provider: string) => boolean;
  /** Whether the caller of a stream may still read. */
  readonly isStillAllowed: (call: Call) => boolean;
  readonly intake?: Intake | undefined;
}

export interface Tags extends Group {
  /** Where field providers are plugged in. */
  readonly providers: TagRegistry;
  /** Where providers put their values. */
  readonly values: ValueTable;
  /** All tags that there are at the moment. */
  readonly all: () => readonly Tag[];
  /** Checks a value that came from outside and writes it to the tag; throws a Refusal that says what is wrong. */
  readonly write: (tag: Tag, value: unknown) => Promise<void>;
}

export function createTags(foundation: Foundation, surroundings: TagSurroundings): Tags {
  const { clock, stateFolder, store } = foundation;
  const values = new ValueTable(surroundings.intake);
  const feeds = new Feeds(values, clock);
  const providers = new TagRegistry(surroundings.isProviderRunning);
  const simulator = createSimulator(values, clock, () => surroundings.isProviderRunning("device"));
  providers.add(createSystemProvider(values, clock, stateFolder));
  providers.add(simulator);
  const virtual = new VirtualTags(store, values, clock, (name) => providers.get(name) !== undefined);

  const tagsOf = (provider?: string): readonly Tag[] => {
    if (provider === undefined) return [...providers.tags(), ...virtual.all()];
    if (providers.get(provider) !== undefined) return providers.tags(provider);
    return virtual.all().filter((tag) => tag.prvdName === provider);
  };
  const find = ({ path: { provider = "", source = "", tag: tagName = "" } }: Call): Tag => {
    const tag =
      virtual.find({ prvdName: provider, srcName: source, tagName }) ??
      providers.tags(provider).find((one) => one.srcName === source && one.tagName === tagName);
    if (tag === undefined) throw notFound(`the tag ${[provider, source, tagName].join("/").slice(0, 200)}`);
    return tag;
  };
  const refresh = (provider: string, source: string): void => {
    try {
      providers.get(provider)?.refresh?.(source);
    } catch (thrown) {
      // A value that cannot be read now is shown with its last reading.
      foundation.log("tagservice", `${provider}/${source} could not be read: ${String(thrown)}`);
    }
  };

  /** Endpoints 13, Direct read by tag. */
  const readTag = async (call: Call): Promise<Answer> => {
    const tag = find(call);
    if (tag.access === "w") throw badInput("access: the tag can only be written");
    const provider = providers.get(tag.prvdName);
    refresh(tag.prvdName, tag.srcName);
    const sample = provider?.read === undefined ? values.latest(tag) : await provider.read(tag);
    if (sample === undefined) throw badInput("dataValue: the tag has no value yet");
    const { prvdName, srcName, tagName, dataType } = tag;
    return json({
      prvdName,
      srcName,
      tagName,
      timestamp: String(sample.ts),
      dataType,
      dataValue: sample.value,
    });
  };

  const write = async (tag: Tag, outside: unknown): Promise<void> => {
    const value = toTagValue(tag.dataType, tag.dataSize, outside);
    const provider = providers.get(tag.prvdName);
    if (provider === undefined) virtual.write(tag, value);
    else if (provider.write === undefined) throw badInput("access: the tag can only be read");
    else await provider.write(tag, value);
  };

  /** Endpoints 13, Direct write by tag; its answer, which the document does not show, is `{"message":"ok"}`. */
  const writeTag = async (call: Call): Promise<Answer> => {
    const tag = find(call);
    if (tag.access === "r") throw badInput("access: the tag can only be read");
    const { dataType, dataValue } = call.body as { dataType: TagDataType; dataValue: unknown };
    if (dataType !== tag.dataType) throw badInput(`dataType: the tag is ${tag.dataType}, found ${dataType}`);
    await write(tag, dataValue);
    return json({ message: "ok" });
  };

  const monitored: Monitored = {
    clock,
    values,
    feeds,
    tagsOf: (provider, source) => tagsOf(provider).filter((tag) => tag.srcName === source),
    refresh,
    isStillAllowed: surroundings.isStillAllowed,
  };

  return {
    providers,
    values,
    all: () => tagsOf(),
    write,
    handlers: {
      listTags: (call) => data(tagsOf(call.query["provider"] as string | undefined)),
      monitorTags: (call) => monitor(call, monitored),
      readTag,
      writeTag,
      createVirtualTag: (call) => data(virtual.create(call.body as VirtualTagInput)),
      updateVirtualTag: (call) => data(virtual.update(call.body as VirtualTagInput)),
      deleteVirtualTag: (call) => data(virtual.delete(call.body as unknown as TagName)),
    },
    sections: [
      {
        app: "tagservice",
        section: "general",
        labels: [],
        read: () => ({ tags: virtual.all() }),
        check: (document) => virtual.check(document),
        write: (document) => virtual.replaceAll(document),
      },
    ],
    resetParts: [{ scopes: ["appdata"], reset: () => virtual.clear() }],
    [Symbol.asyncDispose]() {
      simulator[Symbol.dispose]();
      feeds[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
