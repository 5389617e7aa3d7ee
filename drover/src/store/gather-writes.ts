import { isDroverError } from "@drover/contract";
import { Gatherer } from "../lib/gatherer.ts";
import type { Session, Tx } from "./session.ts";

export interface GatheredWrite<Input, Output> {
  /** Writes as many as it can in one transaction, and answers for those that it wrote. */
  readonly together: (tx: Tx, inputs: readonly Input[]) => Promise<ReadonlyMap<Input, Output>>;
  /** Writes one of them, or says why not. */
  readonly alone: (tx: Tx, input: Input) => Promise<Output>;
  /** Bounds how long a transaction takes, and so how long the first of them waits. */
  readonly limit: number;
}

/**
 * A write that many jobs make side by side: those that wait at the same moment share a transaction, where hundreds of
 * them would otherwise wait for one commit each. Each stays on its own all the same: what could not be written together
 * is written alone, and what the database refuses takes no other with it.
 */
export function gatherWrites<Input, Output>(
  session: Session,
  { together, alone, limit }: GatheredWrite<Input, Output>,
): (input: Input) => Promise<Output> {
  const tryTogether = async (inputs: readonly Input[]): Promise<ReadonlyMap<Input, Output>> => {
    if (inputs.length === 1) return new Map();
    try {
      return await session.write((tx) => together(tx, inputs));
    } catch (error) {
      // A database that is away is away for each of them; anything else may be the fault of one.
      if (isDroverError(error) && error.kind.retryable) throw error;
      return new Map();
    }
  };
  const gatherer = new Gatherer<Input, Output>(
    async (inputs) => {
      const written = await tryTogether(inputs);
      return await Promise.allSettled(
        inputs.map((input) =>
          written.has(input) ? Promise.resolve(written.get(input) as Output) : session.write((tx) => alone(tx, input)),
        ),
      );
    },
    { limit },
  );
  return (input) => gatherer.add(input);
}
