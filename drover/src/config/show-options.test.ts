import { expect, it } from "vitest";
import { loadOptions } from "./load-options.ts";
import { showOptions } from "./show-options.ts";

it("shows what each option is and where it was set, and keeps secrets to itself", () => {
  const env = { DROVER_STORE: "postgres://drover:hunter2@db/drover", DROVER_MAX_JOBS: "7", HOME: "/home/ada" };
  const shown = showOptions(loadOptions({ flags: { listenPort: "9000" }, env }));
  const find = (wanted: string) => shown.find(({ name }) => name === wanted);
  expect(find("listenPort")).toMatchObject({ value: "9000", source: "--port", env: "DROVER_LISTEN_PORT" });
  expect(find("maxJobs")).toMatchObject({ value: "7", source: "DROVER_MAX_JOBS" });
  expect(find("allowedHosts")).toMatchObject({ value: "[]", source: null });
  expect(find("store")).toMatchObject({ value: null, source: "DROVER_STORE" });
  expect(find("failpoint")).toBeUndefined();
  expect(JSON.stringify(shown)).not.toContain("hunter2");
});
