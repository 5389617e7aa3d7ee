import fc from "fast-check";
import { checkAnswer } from "./check-answer.ts";
import { type FuzzRequest, type FuzzWorld, requestsOf } from "./requests.ts";
import { type FuzzAnswer, Sender } from "./send.ts";

interface FuzzRun {
  readonly port: number;
  readonly world: FuzzWorld;
  readonly requests: number;
  readonly seed: number;
  readonly afterEach?: (request: FuzzRequest, answer: FuzzAnswer) => Promise<void>;
}

/** Sends so many requests, one after the other; throws at the first answer that is not as announced, made small. */
export async function runFuzz({ port, world, requests, seed, afterEach }: FuzzRun): Promise<Map<number, number>> {
  const sender = new Sender(port);
  const statuses = new Map<number, number>();
  try {
    const property = fc.asyncProperty(requestsOf(world), async (request) => {
      const answer = await sender.send(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      checkAnswer(request, answer);
      await afterEach?.(request, answer);
    });
    await fc.assert(property, {
      numRuns: requests,
      seed,
      interruptAfterTimeLimit: 1_200_000,
      markInterruptAsFailure: true,
    });
    return statuses;
  } finally {
    sender.close();
  }
}
