// A rack file: the gateways of a lab by name, where each is and what it declares.
import { dirname, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../document/document.ts";
import { UsageError } from "../errors.ts";

const Strict = { additionalProperties: false };

const RackDocument = Type.Object(
  {
    gateways: Type.Record(
      Type.String(),
      Type.Object(
        {
          url: Type.String({ pattern: "^https?://" }),
          /** Path of the profile, relative to the rack file. */
          profile: Type.String({ minLength: 1 }),
        },
        Strict,
      ),
    ),
  },
  Strict,
);

/** One gateway of a rack. */
export interface RackGateway {
  readonly name: string;
  readonly url: string;
  readonly profileFile: string;
}

/** Finds a gateway by its name; throws a UsageError with line and field, or with the names there are. */
export async function findInRack(file: string, name: string): Promise<RackGateway> {
  return parseRack(await readDocument("rack", file), file, name);
}

export function parseRack(text: string, file: string, name: string): RackGateway {
  const { gateways }: Static<typeof RackDocument> = checkDocument("rack", text, file, RackDocument).value;
  const found = Object.hasOwn(gateways, name) ? gateways[name] : undefined;
  if (found === undefined) {
    throw new UsageError(
      "RACK_GATEWAY",
      `rack ${file}: no gateway ${name}; there are ${Object.keys(gateways).join(", ") || "none"}`,
    );
  }
  return { name, url: found.url, profileFile: resolve(dirname(file), found.profile) };
}
