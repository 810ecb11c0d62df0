// The app modbusslave: masters of the plant read tags of this gateway as holding registers over Modbus TCP.
import { createServer, type Server, type Socket } from "node:net";
import Type, { type Static } from "typebox";
import type { Tag } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { encode, registersOf } from "./registers.ts";

const Strict = { additionalProperties: false };
const SlaveSettings = Type.Object(
  {
    enable: Type.Boolean(),
    /** 0 takes a free port, which the log names. */
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    unitId: Type.Integer({ minimum: 1, maximum: 247 }),
    registers: Type.Array(
      Type.Object(
        {
          address: Type.Integer({ minimum: 0, maximum: 65_535 }),
          provider: Type.String(),
          source: Type.String(),
          tag: Type.String(),
        },
        Strict,
      ),
      { maxItems: 1024 },
    ),
  },
  Strict,
);
type SlaveSettings = Static<typeof SlaveSettings>;
const problemsOf = checker(SlaveSettings);

const masterConnected = 45;
const masterDisconnected = 46;
const wrongFunction = 47;
const readHoldingRegisters = 3;
const headerBytes = 7;
const mostBytesOfFrame = 260;
const exception = { illegalFunction: 1, illegalAddress: 2, illegalValue: 3 } as const;

export interface SlaveSurroundings {
  readonly address: string;
  readonly values: ValueTable;
  readonly tags: (provider: string) => readonly Tag[];
}

export function createModbusSlave(foundation: Foundation, surroundings: SlaveSurroundings): Group {
  const check = (document: unknown): void => {
    const problem = problemsOf(document)[0];
    if (problem !== undefined)
      throw badInput(
        `modbusslave/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
  };
  const setting = openSetting(foundation.store, "section/modbusslave/general", SlaveSettings, () => {
    const delivered = foundation.delivered("modbusslave", "general");
    return problemsOf(delivered).length === 0
      ? (delivered as SlaveSettings)
      : { enable: false, port: 502, unitId: 1, registers: [] };
  });
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  /** The registers of the map, by address; two bytes each. */
  const registerAt = (address: number): Buffer | undefined => {
    for (const { address: first, provider, source, tag: name } of setting.get().registers) {
      const tag = surroundings.tags(provider).find((one) => one.srcName === source && one.tagName === name);
      if (tag === undefined) continue;
      const layout = { dataType: tag.dataType, table: "holding-registers" } as const;
      const offset = address - first;
      if (offset < 0 || offset >= registersOf(layout)) continue;
      const value = surroundings.values.latest(tag)?.value;
      const bytes = value === undefined ? Buffer.alloc(registersOf(layout) * 2) : encode(value, layout);
      return bytes.subarray(offset * 2, offset * 2 + 2);
    }
    return undefined;
  };

  const answer = (pdu: Buffer, master: string): Buffer => {
    const functionCode = pdu.readUInt8(0);
    const refuse = (code: number): Buffer => Buffer.from([functionCode | 0x80, code]);
    if (functionCode !== readHoldingRegisters) {
      foundation.events.raise(wrongFunction, { message: `${master} called function ${functionCode}` });
      return refuse(exception.illegalFunction);
    }
    if (pdu.length !== 5) return refuse(exception.illegalValue);
    const quantity = pdu.readUInt16BE(3);
    if (quantity < 1 || quantity > 125) return refuse(exception.illegalValue);
    const registers: Buffer[] = [];
    for (let index = 0; index < quantity; index++) {
      const register = registerAt(pdu.readUInt16BE(1) + index);
      if (register === undefined) return refuse(exception.illegalAddress);
      registers.push(register);
    }
    return Buffer.concat([Buffer.from([functionCode, quantity * 2]), ...registers]);
  };

  const serve = (socket: Socket): void => {
    const master = `${socket.remoteAddress ?? "somebody"}`;
    sockets.add(socket);
    foundation.events.raise(masterConnected, { message: `the master ${master} connected` });
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length > headerBytes) {
        const end = 6 + rest.readUInt16BE(4);
        if (end <= headerBytes || end > mostBytesOfFrame) {
          socket.destroy();
          return;
        }
        if (rest.length < end) return;
        const header = Buffer.from(rest.subarray(0, headerBytes));
        const pdu = answer(rest.subarray(headerBytes, end), master);
        rest = rest.subarray(end);
        header.writeUInt16BE(pdu.length + 1, 4);
        socket.write(Buffer.concat([header, pdu]));
      }
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      foundation.events.raise(masterDisconnected, { message: `the master ${master} disconnected` });
    });
  };

  return {
    handlers: {},
    sections: [
      {
        app: "modbusslave",
        section: "general",
        labels: [],
        read: () => setting.get(),
        check,
        write: (document) => setting.set(document as SlaveSettings),
      },
    ],
    resetParts: [{ scopes: ["all"], reset: () => setting.reset() }],
    async start() {
      const { enable, port } = setting.get();
      if (!enable) return;
      const opened = createServer(serve);
      server = opened;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      opened.once("error", reject);
      opened.listen(port, surroundings.address, resolve);
      try {
        await promise;
        const bound = opened.address();
        const at = typeof bound === "object" && bound !== null ? bound.port : port;
        foundation.log("modbusslave", `masters are served on port ${at}`);
      } catch (thrown) {
        // A port that is taken costs the masters their service and nobody else theirs.
        foundation.log("modbusslave", `port ${port} cannot be opened: ${String(thrown)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server?.listening !== true) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}
