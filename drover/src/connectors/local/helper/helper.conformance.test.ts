import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectWithHelper } from "../../../../test/connector-with-helpers.ts";
import { describeConnector } from "../../../ports/connector.conformance.ts";
import { INHERITED_NAMES, makeChildEnvironment } from "../child-environment.ts";

describeConnector(
  "local, started by a helper",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "drover-helper-"));
    return {
      connect: () => connectWithHelper({ environment: makeChildEnvironment({ inherited: process.env }) }),
      folder,
      dispose: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { environmentNames: [...INHERITED_NAMES, "PATH", "LANG"], hugeBytes: 1024 ** 3 },
);
