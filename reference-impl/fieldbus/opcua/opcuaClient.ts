// The app opcuaclient: nodes of OPC UA servers become tags.
import type { OPCUACertificateManager } from "node-opcua";
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import type { TagValue } from "../../groups/tags/dataTypes.ts";
import type { Sample } from "../../groups/tags/history.ts";
import type { TagProvider, TagRegistry } from "../../groups/tags/provider.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { gatewayCertificates } from "./certificates.ts";
import { NodeSource, type NodeTag } from "./nodeSource.ts";
import { checkOpcuaClientSettings, OpcuaClientSettings } from "./settings.ts";

const provider = "opcua_client";

export interface OpcuaClientSurroundings {
  readonly providers: TagRegistry;
  readonly values: ValueTable;
  readonly isProviderRunning: (provider: string) => boolean;
}

export function createOpcuaClient(foundation: Foundation, surroundings: OpcuaClientSurroundings): Group {
  const setting = openSetting(foundation.store, "section/opcuaclient/general", OpcuaClientSettings, () =>
    deliveredSettings(foundation),
  );
  const work = new AsyncDisposableStack();
  return {
    handlers: {},
    sections: [
      {
        app: "opcuaclient",
        section: "general",
        labels: [],
        read: () => setting.get(),
        check: (document) => void checkOpcuaClientSettings(document),
        write: (document) => setting.set(checkOpcuaClientSettings(document)),
      },
    ],
    resetParts: [{ scopes: ["all"], reset: () => setting.reset() }],
    start() {
      const nodes = new OpcuaNodes(setting.get(), foundation, surroundings);
      work.use(nodes);
      work.use(surroundings.providers.add(nodes));
    },
    [Symbol.asyncDispose]: () => work.disposeAsync(),
  };
}

/** A delivered section that does not fit leaves the gateway without connections, with a line in the log. */
function deliveredSettings({ delivered, log }: Foundation): OpcuaClientSettings {
  const document = delivered("opcuaclient", "general") ?? { connections: [] };
  try {
    return checkOpcuaClientSettings(document);
  } catch (thrown) {
    log("opcuaclient", `the delivered section is not used: ${String(thrown)}`);
    return { connections: [] };
  }
}

/** The nodes of all servers, as a provider of tags. */
class OpcuaNodes implements TagProvider, AsyncDisposable {
  readonly name = provider;
  readonly #places = new Map<Tag, { readonly source: NodeSource; readonly node: NodeTag }>();
  readonly #tags: readonly Tag[];
  readonly #sources: readonly NodeSource[];
  readonly #values: ValueTable;
  #certificates: Promise<OPCUACertificateManager> | undefined;

  constructor(
    { connections }: OpcuaClientSettings,
    { clock, log, stateFolder, product }: Foundation,
    { values, isProviderRunning }: OpcuaClientSurroundings,
  ) {
    this.#values = values;
    this.#sources = connections
      .filter(({ enable }) => enable)
      .map(
        (connection) =>
          new NodeSource(provider, connection, {
            certificates: () => (this.#certificates ??= gatewayCertificates(stateFolder, "opcuaclient")),
            values,
            clock,
            isRunning: () => isProviderRunning(provider),
            retryMs: product.conduct.fieldRetryMs,
            log: (line) => log("opcuaclient", line),
          }),
      );
    for (const source of this.#sources)
      for (const node of source.nodes) this.#places.set(node.tag, { source, node });
    this.#tags = [...this.#places.keys()];
  }

  tags(): readonly Tag[] {
    return this.#tags;
  }

  async read(tag: Tag): Promise<Sample> {
    const { source, node } = this.#placeOf(tag);
    await source.readNow(node);
    const sample = this.#values.latest(tag);
    if (sample === undefined) throw badInput("dataValue: the tag has no value yet");
    return sample;
  }

  async write(tag: Tag, value: TagValue): Promise<void> {
    const { source, node } = this.#placeOf(tag);
    await source.write(node, value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#sources.map((source) => source[Symbol.asyncDispose]()));
    await (await this.#certificates)?.dispose();
  }

  #placeOf(tag: Tag): { readonly source: NodeSource; readonly node: NodeTag } {
    const place = this.#places.get(tag);
    if (place === undefined) throw badInput(`the tag ${tag.tagName} is not one of ${provider}`);
    return place;
  }
}
