// Puts the gateway together: the foundation, every group in order, the HTTP side, and what starts and stops.
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Authorisation,
  authorisationOf,
  defaultAuthorisation,
  permits,
} from "../interface/authorisation.ts";
import { operation, type OperationId } from "../interface/operations/index.ts";
import { SettableClock } from "./base/clock.ts";
import { followTimeServer } from "./board/timeSync.ts";
import { type ClockUser, type Edges, plainEdges } from "./edges.ts";
import type { Foundation, Group } from "./foundation/gateway.ts";
import type { Identity } from "./foundation/identity.ts";
import { createAccounts } from "./groups/accounts/accounts.ts";
import { fullCost, lightCost } from "./groups/accounts/passwords.ts";
import { createApps } from "./groups/apps/apps.ts";
import { createConfiguration } from "./groups/configuration/configuration.ts";
import { createEvents } from "./groups/events/events.ts";
import { machineWatches, watchThresholds } from "./groups/events/thresholds.ts";
import { createHttpServer } from "./groups/httpserver/httpServer.ts";
import { createJobs } from "./groups/jobs/jobs.ts";
import { createLog } from "./groups/log/log.ts";
import { LogFiles } from "./groups/log/logFiles.ts";
import { createProvision } from "./groups/provision/provision.ts";
import { createReboot } from "./groups/reboot/reboot.ts";
import { createReset } from "./groups/reboot/reset.ts";
import { createServices } from "./groups/services/services.ts";
import { createTags } from "./groups/tags/tags.ts";
import { downloadOnce } from "./groups/upgrade/download.ts";
import { createUpgrade } from "./groups/upgrade/upgrade.ts";
import { tokenOf } from "./http/authorise.ts";
import type { Call, Handlers } from "./http/handler.ts";
import { createModbusMaster } from "./fieldbus/modbus/modbusMaster.ts";
import { createModbusSlave } from "./fieldbus/modbus/slave.ts";
import { createOpcuaClient } from "./fieldbus/opcua/opcuaClient.ts";
import { createOpcuaServer } from "./fieldbus/opcua/opcuaServer.ts";
import { readDelivered } from "./foundation/delivered.ts";
import { bootSystem } from "./bootSystem.ts";
import { buildHttp } from "./http/server.ts";
import { createWebsocket, sendInOneFrame } from "./http/websocket.ts";
import type { GatewayOptions } from "./options.ts";
import { plainProduct, type Product } from "./product/product.ts";
import { Store } from "./store/store.ts";

export interface RunningReference extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly version: string;
}

const maxUploadBytes = 8 * 1024 * 1024;

export async function startReference(
  given: GatewayOptions,
  edges: Edges = plainEdges,
): Promise<RunningReference> {
  const options = edges.options(given);
  const product = edges.product(plainProduct);
  await using stack = new AsyncDisposableStack();
  await mkdir(options.stateFolder, { recursive: true, mode: 0o700 });
  const clock = new SettableClock();
  const { timeServer, timePollMs } = options;
  if (timeServer !== undefined) {
    const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(timeServer) ?? [];
    const server = { host, port: Number(port), pollMs: timePollMs };
    stack.use(await followTimeServer(clock, server, product.conduct.clock));
  }
  const boot = await bootSystem(options, edges, clock);
  const { board } = boot;
  const store = stack.use(
    new Store(join(options.stateFolder, "gateway.db"), { ...product, isSynced: options.isSynced }),
  );
  edges.store(store);
  const files = new LogFiles(options.stateFolder, clock);
  const log = (app: string, line: string): void => files.write(app, line);
  const identity = identityOf(product, store, boot.version);
  const delivered = readDelivered(options.deliveredFile);
  const base = { identity, stateFolder: options.stateFolder, store, clock, board, log, delivered, product };

  const events = createEvents(base);
  const foundation: Foundation = { ...base, events: edges.events(events) };
  const timed = (user: ClockUser): Foundation => ({ ...foundation, clock: edges.clock(user, clock) });
  // At the first boot one hashes a password and the other makes a certificate: they run in parallel.
  const [accounts, httpServer] = await Promise.all([
    createAccounts(timed("accounts"), {
      adminName: "admin",
      adminPassword: options.adminPassword,
      tokenLifetimeSec: options.tokenLifetimeSec,
      hashCost: options.areHashesLight ? lightCost : fullCost,
      failuresToLock: options.failuresToLock,
      lockedMs: 10_000,
    }),
    createHttpServer(foundation, options),
  ]);
  const authenticate = edges.authenticate((token) => accounts.tokens.authenticate(token));
  const reboot = createReboot(timed("reboot"), options.answerGraceMs);
  const apps = createApps(foundation);
  const isStillAllowed = (headers: Call["headers"]): boolean => {
    try {
      authenticate(tokenOf(headers, true) ?? "");
      return true;
    } catch {
      return false;
    }
  };
  const tags = createTags(timed("tags"), {
    isProviderRunning: (provider) => apps.isProviderRunning(provider),
    isStillAllowed: (call) => isStillAllowed(call.headers),
    intake: edges.intake,
  });
  const upgrade = createUpgrade(foundation, {
    download: edges.download(downloadOnce),
    isSnapshotSupported: options.isSnapshotSupported,
    systems: boot.systems,
    onInstalled: (version) => {
      store.run(
        "INSERT INTO setting (name, value) VALUES ('software-version', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        JSON.stringify(version),
      );
    },
  });
  // The parts that groups read from each other, filled once all exist.
  const groups: Group[] = [];
  const all: Group[] = [
    events,
    accounts,
    httpServer,
    reboot,
    apps,
    tags,
    upgrade,
    createModbusMaster(foundation, {
      providers: tags.providers,
      values: tags.values,
      isProviderRunning: (provider) => apps.isProviderRunning(provider),
    }),
    createOpcuaClient(foundation, {
      providers: tags.providers,
      values: tags.values,
      isProviderRunning: (provider) => apps.isProviderRunning(provider),
    }),
    createOpcuaServer(foundation, {
      address: options.address,
      isRunning: () => apps.isRunning("opcuaserver"),
      tags: tags.all,
      values: tags.values,
      write: tags.write,
      isUser: (name, password) => accounts.isUser(name, password, "opcua"),
    }),
    createModbusSlave(foundation, {
      address: options.address,
      values: tags.values,
      tags: (provider) => tags.providers.tags(provider),
    }),
    createProvision(foundation),
    createLog(foundation, files, () => ["system", ...apps.ids()]),
    createJobs(foundation, upgrade.jobs, reboot),
    createServices(foundation, () => groups.flatMap((group) => group.services ?? [])),
    createReset(foundation, {
      parts: () => groups.flatMap((group) => group.resetParts ?? []),
      rebootAfterAnswer: reboot.rebootAfterAnswer,
    }),
    createConfiguration(foundation, {
      sections: () => groups.flatMap((group) => group.sections ?? []),
      settings: () => groups.flatMap((group) => group.settings ?? []),
      rebootAfter: reboot.rebootAfter,
      rebootDelayMs: options.rebootDelayMs,
    }),
  ];
  for (const group of all) stack.use(group);
  groups.push(...all.map((group) => edges.group(group)));

  const permissionOf = (id: OperationId): Authorisation =>
    authorisationOf(edges.permission(id, defaultAuthorisation[id]));
  const handlers: Handlers = Object.assign({}, ...groups.map((group) => group.handlers)) as Handlers;
  const app = await buildHttp({
    pathPrefix: options.pathPrefix,
    handlers: edges.handlers(handlers),
    definitionOf: (id) => edges.definition(id, operation(id)),
    permissionOf,
    authenticate,
    stateFolder: options.stateFolder,
    maxUploadBytes,
    clock,
    log: (line) => log("system", line),
  });
  stack.defer(() => app.close());
  const websocket = stack.use(
    createWebsocket({
      path: `${options.pathPrefix}/websocket`,
      redeem: edges.redeem((token) => accounts.tokens.redeemWebsocketToken(token)),
      send: edges.websocketSender(sendInOneFrame),
      mayReadEvents: (holder) => permits(permissionOf("getEvents"), holder.permissions),
      subscribe: (listener) => events.subscribe(listener),
    }),
  );
  const ports = await httpServer.open({
    address: options.address,
    onRequest: edges.front((request, response) => app.routing(request, response)),
    onUpgrade(request, socket, head) {
      request.url = edges.upgradeUrl(request.url ?? "/");
      websocket.onUpgrade(request, socket, head);
    },
    responseClass: edges.responseClass,
    limits: edges.connectionLimits,
  });
  for (const group of groups) await group.start?.();
  const { httpEnable, httpsEnable } = httpServer.configuration();
  await boot.confirm({
    address: options.address,
    httpPort: httpEnable ? ports.httpPort : undefined,
    httpsPort: httpsEnable ? ports.httpsPort : undefined,
  });
  stack.use(edges.background(foundation));
  stack.use(watchThresholds(foundation, machineWatches(options.stateFolder)));
  log("system", `the gateway is up, version ${identity.version}`);
  const whole = stack.move();
  return { ...ports, version: identity.version, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

function identityOf(
  { model, tpeversion, serialNumber }: Product,
  store: Store,
  booted: string | undefined,
): Identity {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const installed = store.get("SELECT value FROM setting WHERE name = 'software-version'");
  const version =
    booted ??
    (installed === undefined ? manifest.version : (JSON.parse(String(installed["value"])) as string));
  return { model, tpeversion, serialNumber, version };
}
