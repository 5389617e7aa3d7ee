import { afterAll, beforeAll, describe } from "vitest";
import type { Connector } from "./connector.ts";
import { describeEnding } from "./connector-ending.conformance.ts";
import { describeFiles } from "./connector-files.conformance.ts";
import { describeLists } from "./connector-lists.conformance.ts";
import { describeOutput } from "./connector-output.conformance.ts";
import { describeRunning } from "./connector-running.conformance.ts";
import type { ConnectorHarness, ConnectorTraits, Subject } from "./connector-subject.conformance.ts";

/** What every connector has to do alike, whatever it reaches its host by. */
export function describeConnector(name: string, make: () => Promise<ConnectorHarness>, traits: ConnectorTraits): void {
  describe(`${name} connector`, () => {
    const subject: { connector?: Connector; harness?: ConnectorHarness } = {};
    const get = () => ({ ...subject, traits }) as Subject;
    beforeAll(async () => {
      subject.harness = await make();
      subject.connector = await subject.harness.connect();
    });
    afterAll(async () => {
      await subject.connector?.close();
      await subject.harness?.dispose();
    });
    describeRunning(get);
    describeOutput(get);
    describeEnding(get);
    describeFiles(get);
    describeLists(get);
  });
}
