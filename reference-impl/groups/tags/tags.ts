// Group 13: the tag service.
import type { Tag, TagDataType, VirtualTagInput } from "../../../interface/resources/tags.ts";
import type { Foundation, Group } from "../../gateway.ts";
import { type Answer, type Call, data, json } from "../../http/handler.ts";
import { badInput, notFound } from "../../http/refusal.ts";
import { toTagValue } from "./dataTypes.ts";
import type { TagProvider } from "./provider.ts";
import { createSimulator } from "./simulator.ts";
import { runTagStream, show } from "./streams.ts";
import { createSystemProvider } from "./systemProvider.ts";
import { ValueTable } from "./valueTable.ts";
import { assertVirtualTags, VirtualTags } from "./virtualTags.ts";

export interface TagSurroundings {
  /** Whether the app that carries the provider runs. */
  readonly isProviderRunning: (provider: string) => boolean;
  /** Whether the caller of a stream may still read. */
  readonly isStillAllowed: (call: Call) => boolean;
}

const minIntervalMs = 10;
const maxIntervalMs = 86_400_000;

export function createTags(foundation: Foundation, surroundings: TagSurroundings): Group {
  const { clock, stateFolder } = foundation;
  const values = new ValueTable();
  const simulator = createSimulator(values, clock, () => surroundings.isProviderRunning("device"));
  const providers: TagProvider[] = [createSystemProvider(values, clock, stateFolder), simulator];
  const virtual = new VirtualTags(foundation.store, values, clock, () => providers);

  const all = (): Tag[] => [...providers.flatMap((provider) => [...provider.tags()]), ...virtual.all()];
  const find = (call: Call): Tag => {
    const { provider, source, tag: name } = call.path;
    const tag = all().find(
      (one) => one.prvdName === provider && one.srcName === source && one.tagName === name,
    );
    if (tag === undefined) throw notFound(`the tag ${provider}/${source}/${name}`);
    return tag;
  };
  const refresh = (provider: string, source: string): void =>
    providers.find((one) => one.name === provider)?.refresh?.(source);

  const readTag = (call: Call): Answer => {
    const tag = find(call);
    if (tag.access === "w") throw badInput("access: the tag can only be written");
    refresh(tag.prvdName, tag.srcName);
    const sample = values.latest(tag);
    if (sample === undefined) throw badInput("the tag has no value yet");
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

  const writeTag = async (call: Call): Promise<Answer> => {
    const tag = find(call);
    if (tag.access === "r") throw badInput("access: the tag can only be read");
    const { dataType, dataValue } = call.body as { dataType: TagDataType; dataValue: unknown };
    if (dataType !== tag.dataType) throw badInput(`dataType: the tag is ${tag.dataType}, found ${dataType}`);
    const value = toTagValue(tag.dataType, tag.dataSize, dataValue);
    const provider = providers.find((one) => one.name === tag.prvdName);
    if (provider === undefined) virtual.write(tag, value);
    else if (provider.write === undefined) throw badInput("access: the tag can only be read");
    else await provider.write(tag, value);
    return json({ message: "ok" });
  };

  const monitor = (call: Call): Answer => {
    const provider = String(call.path["provider"]);
    const source = String(call.path["source"]);
    const query = call.query as {
      tags?: string;
      ms?: number;
      streamInterval?: number;
      compute?: "diff";
      onChanged?: boolean;
    };
    const names =
      query.tags === undefined || query.tags === ""
        ? undefined
        : new Set(query.tags.split(",").map((name) => name.trim()));
    const wants = (tag: Tag): boolean => names?.has(tag.tagName) ?? true;
    const tagsOfSource = (): Tag[] =>
      all().filter(
        (tag) => tag.prvdName === provider && tag.srcName === source && tag.access !== "w" && wants(tag),
      );
    if (!all().some((tag) => tag.prvdName === provider && tag.srcName === source))
      throw notFound(`the source ${provider}/${source}`);
    const { streamInterval, ms } = query;
    if (streamInterval !== undefined && (streamInterval < minIntervalMs || streamInterval > maxIntervalMs)) {
      throw badInput(
        `query parameter streamInterval: expected ${minIntervalMs} to ${maxIntervalMs} milliseconds, found ${streamInterval}`,
      );
    }
    if (ms !== undefined && ms < 0) throw badInput(`query parameter ms: expected 0 or more, found ${ms}`);
    refresh(provider, source);
    if (streamInterval !== undefined || query.onChanged === true) {
      return {
        kind: "stream",
        run: (response) =>
          runTagStream(response, call.signal, clock, values, {
            provider,
            source,
            wants: (tag) => wants(tag) && tag.access !== "w",
            tags: tagsOfSource,
            intervalMs: streamInterval,
            isDiff: query.compute === "diff",
            refresh: () => refresh(provider, source),
            isAllowed: () => surroundings.isStillAllowed(call),
          }),
      };
    }
    const sinceMs = ms === undefined ? undefined : clock.nowMs() - ms;
    return data(
      tagsOfSource().flatMap((tag) => {
        const latest = values.latest(tag);
        const samples =
          sinceMs === undefined ? (latest === undefined ? [] : [latest]) : values.since(tag, sinceMs);
        return samples.map(({ value, ts }) => show(tag, value, ts));
      }),
    );
  };

  return {
    handlers: {
      listTags(call) {
        const { provider } = call.query as { provider?: string };
        return json({ data: all().filter((tag) => provider === undefined || tag.prvdName === provider) });
      },
      monitorTags: monitor,
      readTag,
      writeTag,
      createVirtualTag: (call) => data(virtual.create(call.body as VirtualTagInput)),
      updateVirtualTag: (call) => data(virtual.update(call.body as VirtualTagInput)),
      deleteVirtualTag: (call) =>
        data(virtual.delete(call.body as { prvdName: string; srcName: string; tagName: string })),
    },
    sections: [
      {
        app: "tagservice",
        section: "general",
        labels: [],
        read: () => ({ tags: virtual.all() }),
        check: (document) => void assertVirtualTags(document),
        write: (document) => virtual.replaceAll(assertVirtualTags(document)),
      },
    ],
    resetParts: [{ scopes: ["appdata"], reset: () => virtual.clear() }],
    [Symbol.asyncDispose]() {
      simulator[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
