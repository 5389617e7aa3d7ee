import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock } from "../../../ports/clock.ts";
import type { Lending } from "../../../ports/lend-files.ts";
import type { Machines, RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep, type Timer } from "../../../ports/timer.ts";
import { sshPart } from "../declared.ts";
import { explainFull } from "../machine-full.ts";
import { chooseNext, chooseWay, mergeRate, type Rates, WORTH_SECONDS } from "./choose-way.ts";
import { Swap, type Upload } from "./swap.ts";

/** A file here that is to lie on a machine. */
export interface FileToSend {
  readonly from: string;
  readonly to: string;
  readonly sha256: string;
  readonly mode?: number;
}

export interface Sending<File extends FileToSend> {
  readonly machine: RemoteMachine;
  readonly files: readonly File[];
  readonly atOnce: number;
  /** What is done with each file on the machine; it may be gone from its name afterwards. */
  readonly arrived?: (file: File) => Promise<void>;
}

/** How long a copy may be slower than it would be from here before it is given up. */
const SLOW_SECONDS = 3;
const WAIT_MS = 500;
/** After that, a way that was slow is tried anew. */
const RATES_HOLD_MS = 600_000;
const END_MS = 2_000;
/** Of smaller files the way there and back is most of the time. */
const TELLING_BYTES = 1_000_000;
/** After so many machines from which nothing could be had, none is asked any more. */
const MOST_REFUSALS = 2;

export interface SpreadParts {
  readonly machines: Machines;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Where on a machine lies what it lends. */
  readonly folder: string;
  /** How large a file here is. */
  readonly measure?: (path: string) => Promise<number>;
}

const measureFile = async (path: string): Promise<number> => (await stat(path)).size;

/** Brings files to machines, from here or from one to the other, whichever is faster as far as was seen. */
export class FileSpread {
  readonly #parts: SpreadParts;
  readonly #swaps = new Map<string, Swap>();
  /** By cluster and machine: what was seen a short while ago holds for the next step too. */
  readonly #seen = new Map<string, SeenRates>();
  readonly #link: Link = { uploads: 0 };

  constructor(parts: SpreadParts) {
    this.#parts = parts;
  }

  async send<File extends FileToSend>(context: StepContext, sending: Sending<File>): Promise<void> {
    const { id } = context.cluster;
    const swap = this.#swaps.get(id) ?? new Swap();
    this.#swaps.set(id, swap);
    swap.members += 1;
    try {
      await new Receiver(
        { ...this.#parts, link: this.#link },
        swap,
        context,
        sending.machine,
        this.#ratesOf(context),
      ).receive(sending);
    } finally {
      swap.members -= 1;
      if (swap.members === 0) {
        this.#swaps.delete(id);
        // A machine that does not answer ends it by itself, and holds up nobody.
        await Promise.race([swap.end(), sleep(this.#parts.timer, END_MS)]);
      }
    }
  }

  #ratesOf({ cluster, step }: StepContext): SeenRates {
    const since = this.#parts.clock.monotonic();
    for (const [key, seen] of this.#seen) if (since - seen.since > RATES_HOLD_MS) this.#seen.delete(key);
    const key = `${cluster.id} ${step.host}`;
    const seen = this.#seen.get(key) ?? { link: null, copy: null, since };
    this.#seen.set(key, seen);
    return seen;
  }
}

/** How many uploads are under way from here, to whichever machine. */
interface Link {
  uploads: number;
}

interface SeenRates {
  /** What all uploads got together while this machine had one: they share the way out of here. */
  link: number | null;
  copy: number | null;
  readonly since: number;
}

/** One machine while files are brought to it. */
class Receiver {
  readonly #parts: SpreadParts & { readonly link: Link };
  readonly #swap: Swap;
  readonly #context: StepContext;
  readonly #machine: RemoteMachine;
  readonly #refused = new Set<string>();
  readonly #seen: SeenRates;
  #waitedMs = 0;

  constructor(
    parts: SpreadParts & { readonly link: Link },
    swap: Swap,
    context: StepContext,
    machine: RemoteMachine,
    seen: SeenRates,
  ) {
    this.#parts = parts;
    this.#swap = swap;
    this.#context = context;
    this.#machine = machine;
    this.#seen = seen;
  }

  async receive<File extends FileToSend>({ files, atOnce, arrived }: Sending<File>): Promise<void> {
    const left = [...files];
    const takeTurns = async (): Promise<void> => {
      for (let file = this.#takeNext(left); file !== undefined; file = this.#takeNext(left)) {
        await this.#bring(file);
        await arrived?.(file);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, takeTurns));
  }

  #takeNext<File extends FileToSend>(left: File[]): File | undefined {
    const candidates = left.map(({ sha256 }) => ({
      isLent: this.#lenders(sha256).length > 0,
      isComing: this.#swap.isComing(sha256),
    }));
    return candidates.length === 0 ? undefined : left.splice(chooseNext(candidates, this.#rates), 1)[0];
  }

  async #bring(file: FileToSend): Promise<void> {
    const bytes = await (this.#parts.measure ?? measureFile)(file.from);
    for (;;) {
      const choice = chooseWay({
        ...{ bytes, rates: this.#rates, lenders: this.#lenders(file.sha256) },
        comingIn: this.#swap.comingIn(file.sha256, this.#parts.clock.monotonic()),
        waited: this.#waitedMs / 1_000,
      });
      const copied = choice.way === "copy" ? await this.#copy(file, bytes, choice.from) : null;
      if (copied === "done") return;
      if (choice.way === "upload" || copied === "slow") return await this.#upload(file, bytes);
      if (choice.way === "wait") await this.#wait();
      this.#context.signal.throwIfAborted();
    }
  }

  async #wait(): Promise<void> {
    this.#waitedMs += WAIT_MS;
    await sleep(this.#parts.timer, WAIT_MS, this.#context.signal);
  }

  async #upload(file: FileToSend, bytes: number): Promise<void> {
    const beganAt = this.#parts.clock.monotonic();
    const upload: Upload = { bytes, sent: 0, beganAt, expected: this.#rates.upload };
    const end = this.#swap.begin(file.sha256, upload);
    try {
      const shared = await this.#sendFrom(file, upload);
      const seconds = this.#secondsSince(beganAt);
      if (bytes >= TELLING_BYTES) this.#seen.link = mergeRate(this.#seen.link, bytes * shared, seconds);
      if (seconds >= WORTH_SECONDS) await this.#swap.hold(this.#node, file, () => this.#openLending());
    } finally {
      // Only now, so that whoever waits for it finds it lent.
      end();
    }
  }

  /** Answers with how many shared the link meanwhile, about. */
  async #sendFrom({ from, to, ...options }: FileToSend, upload: Upload): Promise<number> {
    const { link } = this.#parts;
    const onProgress = (sent: number): void => {
      upload.sent = sent;
    };
    link.uploads += 1;
    const first = link.uploads;
    try {
      await this.#machine.sendFile(from, to, { ...options, signal: this.#context.signal, onProgress });
      return (first + link.uploads) / 2;
    } catch (error) {
      throw explainFull(this.#node, dirname(to), error);
    } finally {
      link.uploads -= 1;
    }
  }

  async #copy(file: FileToSend, bytes: number, from: string): Promise<"done" | "slow" | "refused"> {
    const tooSlow = new AbortController();
    const signal = AbortSignal.any([this.#context.signal, tooSlow.signal]);
    const pace = { beganAt: 0, heardAt: 0, arrived: 0 };
    const onProgress = (arrived: number): void => {
      pace.heardAt ||= this.#parts.clock.monotonic();
      pace.arrived = arrived;
      const seconds = this.#secondsSince(pace.heardAt);
      if (seconds > SLOW_SECONDS && arrived / seconds < (this.#rates.upload ?? 0)) tooSlow.abort();
    };
    const options = { ...sumAndMode(file), bytes, signal, onProgress };
    try {
      await this.#swap.borrowFrom(from, async (offer) => {
        pace.beganAt = this.#parts.clock.monotonic();
        await this.#machine.borrowFile?.(offer, file.to, options);
      });
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (!tooSlow.signal.aborted) return this.#refuse(file, from, error);
      this.#noteCopy(pace.arrived, pace.beganAt, `${basename(file.from)} is slower to copy from ${from}`);
      return "slow";
    }
    this.#noteCopy(bytes, pace.beganAt, `${basename(file.from)} was copied from ${from}`);
    await this.#swap.hold(this.#node, file, () => this.#openLending());
    return "done";
  }

  #noteCopy(bytes: number, beganAt: number, what: string): void {
    const now = bytes / Math.max(this.#secondsSince(beganAt), 0.001);
    this.#seen.copy = mergeRate(this.#seen.copy, bytes, this.#secondsSince(beganAt));
    this.#context.log(`${what}: ${show(now)} between machines, ${show(this.#rates.upload ?? 0)} from here.`);
  }

  #refuse(file: FileToSend, from: string, error: unknown): "refused" {
    this.#refused.add(from);
    const why = error instanceof Error ? error.message : String(error);
    this.#context.log(`${basename(file.from)} could not be copied from ${from}, and comes from here. ${why}`);
    return "refused";
  }

  #lenders(sha256: string): readonly string[] {
    if (this.#machine.borrowFile === undefined || this.#refused.size >= MOST_REFUSALS) return [];
    return this.#swap.lenders(sha256).filter((node) => node !== this.#node && !this.#refused.has(node));
  }

  /** It outlives the step, as other machines may still want what this one has. */
  async #openLending(): Promise<Lending | null> {
    const { cluster } = this.#context;
    if (sshPart(cluster.spec).nodes.length < 2) return null;
    const machine = await this.#parts.machines.connect(cluster, this.#node);
    return machine.lendFiles?.(this.#parts.folder) ?? null;
  }

  get #rates(): Rates {
    const { link, copy } = this.#seen;
    return { upload: link === null ? null : link / (this.#parts.link.uploads + 1), copy };
  }

  get #node(): string {
    return this.#context.step.host;
  }

  #secondsSince(moment: number): number {
    return (this.#parts.clock.monotonic() - moment) / 1_000;
  }
}

const sumAndMode = ({ sha256, mode }: FileToSend) => ({ sha256, ...(mode === undefined ? {} : { mode }) });

const show = (rate: number): string => `${(rate / 1e6).toFixed(1)} MB/s`;
