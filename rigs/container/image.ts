// The image of a contained gateway: from scratch, with Node, its libraries and the bundled gateway, only.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContainerRuntimeClient } from "testcontainers";
import { contentHash, ownNode, programFolder, writeNode, writeProgram } from "../image/gatewayProgram.ts";

/** Name without tag of the images that are built here. */
const imageName = "rackproof-gateway";

const dockerfile = `FROM scratch
COPY root/ /
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
WORKDIR ${programFolder}
ENTRYPOINT ["/bin/node", "${programFolder}/dist/supervisor.js", "--state", "/state", "--address", "0.0.0.0"]
`;

/** Finds the image of this version of the gateway in the engine, or builds it (some seconds); answers its name. */
export async function containerImage(
  engine: ContainerRuntimeClient,
  say: (line: string) => void = () => undefined,
): Promise<string> {
  const { ImageName } = await import("testcontainers");
  const name = ImageName.fromString(`${imageName}:${await contentHash(ownNode, dockerfile)}`);
  if (await engine.image.exists(name)) return name.string;
  say("building the image of the contained gateway");
  const context = await mkdtemp(join(tmpdir(), "rackproof-image-"));
  try {
    const root = join(context, "root");
    await Promise.all(["tmp", "state"].map((folder) => mkdir(join(root, folder), { recursive: true })));
    await Promise.all([writeNode(root, ownNode), writeProgram(root, ownNode)]);
    await writeFile(join(context, "Dockerfile"), dockerfile);
    await engine.image.build(context, { t: name.string });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
  return name.string;
}
