// A profile as the record of a run keeps it: its document and the credentials that were used, to be read again later.
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { type Profile, parseProfile } from "../../harness/index.ts";
import { UsageError } from "../../record/index.ts";

const RecordedProfile = Type.Object({
  document: Type.Unknown(),
  credentials: Type.Object({ name: Type.String(), password: Type.String() }),
});
type RecordedProfile = Type.Static<typeof RecordedProfile>;

export function recordedProfile({ document, credentials }: Profile): RecordedProfile {
  return { document, credentials };
}

/** The profile of a record, by the rules of a profile file. Throws UsageError when it breaks them. */
export function readRecordedProfile(value: unknown): Profile {
  const [problem] = checker(RecordedProfile)(value);
  if (problem !== undefined)
    throw new UsageError(
      "PROFILE_FIELD",
      `${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  const { document, credentials } = value as RecordedProfile;
  return parseProfile(JSON.stringify(document), "of the record", { environment: {}, recorded: credentials });
}
