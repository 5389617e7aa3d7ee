import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeConnector } from "../../ports/connector.conformance.ts";
import { INHERITED_NAMES, makeChildEnvironment } from "./child-environment.ts";
import { LocalConnector } from "./local-connector.ts";

describeConnector(
  "local",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "drover-connector-"));
    return {
      connect: async () => new LocalConnector({ environment: makeChildEnvironment({ inherited: process.env }) }),
      folder,
      dispose: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { environmentNames: [...INHERITED_NAMES, "PATH", "LANG"], hugeBytes: 1024 ** 3 },
);
