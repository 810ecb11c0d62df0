// Single values of a gateway as registers: each write uses a unique value, which identifies it in reads.
import { type Answer, type CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";

export interface Register {
  readonly name: string;
  /** The value before the first write. */
  readonly initial: string;
  /** The value of the write with this number, as a read shows it. */
  readonly valueOf: (number: number) => string;
  readonly write: (value: string) => Promise<Answer>;
  /** Reads it by itself: how soon a list follows is not stated. Undefined when the answer does not show the value. */
  readonly read: () => Promise<{ readonly answer: Answer; readonly value: string | undefined }>;
}

/** The registers that the gateway offers. */
export async function registersOf(context: CaseContext): Promise<Register[]> {
  const registers = [await userEmail(context), await roleDescription(context)];
  if (isOffered(context.profile, "updateUpgradeConfiguration")) registers.push(await retryInterval(context));
  if (isOffered(context.profile, "createVirtualTag")) registers.push(await tagValue(context));
  return registers;
}

async function userEmail({ gateway: { admin }, scratch }: CaseContext): Promise<Register> {
  const { id } = await scratch.user();
  const initial = "first@example.org";
  (await admin.call("updateUser", { path: { id }, json: { email: initial } })).body();
  return {
    name: "`email` of a user",
    initial,
    valueOf: (number) => `write${number}@example.org`,
    write: (email) => admin.call("updateUser", { path: { id }, json: { email } }),
    read: async () => {
      const answer = await admin.call("getUser", { path: { id } });
      return { answer, value: answer.accepted ? text(answer.data().email) : undefined };
    },
  };
}

async function roleDescription({ gateway: { admin }, scratch }: CaseContext): Promise<Register> {
  const { id, name, permissions } = await scratch.role([]);
  const initial = "first";
  const write = (description: string): Promise<Answer> =>
    admin.call("updateRole", { path: { id }, json: { name, description, permissions: [...permissions] } });
  (await write(initial)).body();
  return {
    name: "`description` of a role",
    initial,
    valueOf: (number) => `write ${number}`,
    write,
    read: async () => {
      const answer = await admin.call("getRole", { path: { id } });
      return { answer, value: answer.accepted ? answer.data().description : undefined };
    },
  };
}

async function retryInterval({ gateway: { admin } }: CaseContext): Promise<Register> {
  const base = 1000;
  const write = (value: string): Promise<Answer> =>
    admin.call("updateUpgradeConfiguration", { json: { retryInterval: Number(value) } });
  const initial = String(base - 1);
  (await write(initial)).body();
  return {
    name: "`retryInterval` of the upgrade configuration",
    initial,
    valueOf: (number) => String(base + number),
    write,
    read: async () => {
      const answer = await admin.call("getUpgradeConfiguration");
      return { answer, value: answer.accepted ? String(answer.data().retryInterval) : undefined };
    },
  };
}

async function tagValue({ gateway: { admin }, scratch }: CaseContext): Promise<Register> {
  const { path } = await scratch.virtualTag({ dataType: "uint32" });
  const write = (value: string): Promise<Answer> =>
    admin.call("writeTag", { path, json: { dataType: "uint32", dataValue: Number(value) } });
  const initial = "1";
  const first = await write(initial);
  if (!first.accepted) first.body();
  return {
    name: "value of a virtual tag",
    initial,
    valueOf: (number) => String(1000 + number),
    write,
    read: async () => {
      const answer = await admin.call("readTag", { path });
      return { answer, value: answer.accepted ? String(answer.body().dataValue) : undefined };
    },
  };
}

function text(value: string | null | undefined): string | undefined {
  return value ?? undefined;
}
