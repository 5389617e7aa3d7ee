import type { Command, CommandResult, Connector, RunOptions } from "../ports/connector.ts";
import type { LendsFiles } from "../ports/lend-files.ts";
import type { RunsLists } from "../ports/run-all.ts";
import type { SendsFiles } from "../ports/send-file.ts";
import type { PlanEnvironment } from "./plan-environment.ts";

/** Commands end with the step and show no secret of the job, also where the step forgets to say so. */
export function guardConnector(
  connector: Connector & Partial<RunsLists & SendsFiles & LendsFiles>,
  signal: AbortSignal,
  env: Pick<PlanEnvironment, "mask">,
): Connector & Partial<RunsLists & SendsFiles & Pick<LendsFiles, "borrowFile">> {
  const within = <Options extends { readonly signal?: AbortSignal }>(options: Options): Options => {
    signal.throwIfAborted();
    const own = options.signal === undefined || options.signal === signal;
    return { ...options, signal: own ? signal : AbortSignal.any([signal, options.signal as AbortSignal]) };
  };
  const mask = (text: string): string => env.mask.mask(text);
  const { runAll, sendFile, fetchFile, borrowFile } = connector;
  return {
    host: connector.host,
    run: async (command: Command, options: RunOptions = {}): Promise<CommandResult> =>
      await connector.run(command, within({ mask, ...options })),
    put: async (path, content, options) => {
      signal.throwIfAborted();
      await connector.put(path, content, options);
    },
    get: async (path) => {
      signal.throwIfAborted();
      return await connector.get(path);
    },
    findMarked: (mark) => connector.findMarked(mark),
    endMarked: async (mark) => {
      signal.throwIfAborted();
      await connector.endMarked(mark);
    },
    close: () => connector.close(),
    ...(runAll === undefined
      ? {}
      : {
          runAll: async (commands, options = {}) =>
            await runAll.call(connector, commands, within({ mask, ...options })),
        }),
    ...(sendFile === undefined || fetchFile === undefined
      ? {}
      : {
          sendFile: async (from, to, options = {}) => await sendFile.call(connector, from, to, within(options)),
          fetchFile: async (from, to, options = {}) => await fetchFile.call(connector, from, to, within(options)),
        }),
    ...(borrowFile === undefined
      ? {}
      : { borrowFile: async (offer, to, options) => await borrowFile.call(connector, offer, to, within(options)) }),
  };
}
