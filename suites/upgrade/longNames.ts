// A job whose file has a long name, at a URL with a long query, such as a signed link.
import type { CaseContext } from "../../harness/index.ts";
import { begun, cancelLater, findJob, serveFile } from "./downloads.ts";
import { downloadTask } from "./jobMembers.ts";

const fileName = `${"a1".repeat(58)}.bin`;
const query = `?signature=${"b2".repeat(295)}`;

/** Checks what is requested and shown. Which lengths a gateway accepts is not stated: it may reject the job. */
export async function verifyLongNames(context: CaseContext): Promise<void> {
  const { gateway, verify } = context;
  const requested = `target requested for a \`url\` with a file name of ${fileName.length} characters and a query of ${query.length}`;
  const named = `\`name\` of the task that downloads a file with a name of ${fileName.length} characters`;
  const leave = (reason: string): void => {
    verify("CORE-UPGRADE-57").notApplicable(requested, reason);
    verify("CORE-UPGRADE-58").notApplicable(named, reason);
  };
  await using server = await serveFile(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 0, fileName });
  const json = { url: `${server.url}${query}`, download: true, install: false };
  const created = await gateway.admin.call("createUpgradeJob", { json });
  if (!created.accepted) return leave(created.summary());
  const { id } = created.data();
  cancelLater(context, created.data());
  const hasBegun = await begun(context, server, id).then(
    () => true,
    () => false,
  );
  if (!hasBegun) return leave("no request");
  const targets = server.requests.map(({ target }) => target);
  verify("CORE-UPGRADE-57").that(targets.includes(`/${fileName}${query}`), {
    what: requested,
    expected: `the whole one, ${fileName.length + query.length + 1} characters`,
    observed: targets.map((target) => `${target.length} characters`),
  });
  const name = downloadTask(await findJob(context, id))?.name ?? "";
  if (name === "") verify("CORE-UPGRADE-58").notApplicable(named, "no name is shown");
  else verify("CORE-UPGRADE-58").equal(name, fileName, named);
}
