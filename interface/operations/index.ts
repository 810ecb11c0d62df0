import type { Static, TSchema } from "typebox";
import { accountOperations } from "./accounts.ts";
import { eventAndAppOperations } from "./eventsAndApps.ts";
import type { OperationDefinition } from "./operation.ts";
import { systemOperations } from "./system.ts";
import { tagOperations } from "./tags.ts";
import { upgradeOperations } from "./upgrade.ts";

/** The 58 operations of Core 2.3.0 by the ids of this project. */
export const operations = {
  ...systemOperations,
  ...accountOperations,
  ...eventAndAppOperations,
  ...upgradeOperations,
  ...tagOperations,
};

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as OperationId[];

/** Definition of an operation, with its optional parts visible to the type checker. */
export function operation(id: OperationId): OperationDefinition {
  return operations[id];
}

/** Static type of the body of a successful response; unknown where the interface shows none. */
export type AnswerOf<Id extends OperationId> = (typeof operations)[Id] extends {
  readonly answer: infer A extends TSchema;
}
  ? Static<A>
  : unknown;

export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}
