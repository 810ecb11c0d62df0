// The file that says who is notified, and after how many nights.
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../../harness/index.ts";

const Strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const Variable = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" });
const Url = Type.String({ format: "url", pattern: "^https?://" });
const Nights = Type.Integer({ minimum: 1, maximum: 30 });
const Repository = Type.String({ pattern: "^[\\w.-]+/[\\w.-]+$" });

const WebhookEntry = Type.Object({ url: Url, secretVariable: Variable }, Strict);
const ChatEntry = Type.Object(
  {
    kind: Type.Enum(["slack", "mattermost", "teams"]),
    /** The address is a secret: whoever has it can write to the channel. */
    urlVariable: Variable,
  },
  Strict,
);
const EmailEntry = Type.Object(
  {
    host: Text,
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    /** `starttls` is demanded, not tried. */
    tls: Type.Optional(Type.Enum(["starttls", "implicit", "none"])),
    user: Type.Optional(Text),
    passwordVariable: Type.Optional(Variable),
    from: Text,
    to: Type.Array(Text, { minItems: 1 }),
  },
  Strict,
);
const github = { repository: Repository, tokenVariable: Variable, api: Type.Optional(Url) };
const IssueEntry = Type.Object(github, Strict);
const CheckEntry = Type.Object({ ...github, shaVariable: Variable }, Strict);

const NotifyDocument = Type.Object(
  {
    alertAfter: Type.Optional(Nights),
    clearAfter: Type.Optional(Nights),
    page: Type.Optional(Url),
    webhook: Type.Optional(Type.Array(WebhookEntry)),
    chat: Type.Optional(Type.Array(ChatEntry)),
    email: Type.Optional(Type.Array(EmailEntry)),
    githubIssue: Type.Optional(Type.Array(IssueEntry)),
    githubCheck: Type.Optional(Type.Array(CheckEntry)),
  },
  Strict,
);
export type NotifyFile = Static<typeof NotifyDocument>;
export type WebhookEntry = Static<typeof WebhookEntry>;
export type ChatEntry = Static<typeof ChatEntry>;
export type EmailEntry = Static<typeof EmailEntry>;
export type IssueEntry = Static<typeof IssueEntry>;
export type CheckEntry = Static<typeof CheckEntry>;

/** Throws a UsageError with line and field. */
export async function readNotifyFile(file: string): Promise<NotifyFile> {
  return checkDocument("notify", await readDocument("notify", file), file, NotifyDocument).value;
}
