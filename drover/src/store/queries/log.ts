import type { JobRef, LogLine, NewLogLine } from "../../ports/store/index.ts";
import type { Db, Session } from "../session.ts";
import { assertHolder } from "./hold-jobs.ts";

/** A line as it lies in a chunk: time, step, host, stream, text. Its number follows from its place. */
type StoredLine = readonly [at: number, stepId: string, host: string, stream: LogLine["stream"], text: string];

const CHUNKS_PER_READ = 50;

export async function appendLog(session: Session, ref: JobRef, lines: readonly NewLogLine[]): Promise<number> {
  return await session.write(async (tx) => {
    // Two that count lines at once would give the same numbers.
    await assertHolder(tx, ref, { alone: true });
    const last = await findLastLine(tx.db, ref.jobId);
    if (lines.length === 0) return last;
    const at = session.clock.now();
    const body = lines.map((line): StoredLine => [line.at ?? at, line.stepId, line.host, line.stream, line.text]);
    await tx.db
      .insertInto("log_chunks")
      .values({
        job_id: ref.jobId,
        first_line: last + 1,
        last_line: last + lines.length,
        body: JSON.stringify(body),
        created_at: tx.dialect.now(),
      })
      .execute();
    tx.wake("logs");
    return last + lines.length;
  });
}

export async function findLastLine(db: Db, jobId: string): Promise<number> {
  const newest = await db
    .selectFrom("log_chunks")
    .select("last_line")
    .where("job_id", "=", jobId)
    .orderBy("first_line", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.last_line ?? 0;
}

/** Chunks from the one that holds line `from` on, in order, a few at a time. */
async function* readChunks(db: Db, jobId: string, from: number): AsyncGenerator<readonly LogLine[]> {
  let next = from;
  for (;;) {
    const start = await db
      .selectFrom("log_chunks")
      .select("first_line")
      .where("job_id", "=", jobId)
      .where("first_line", "<=", next)
      .orderBy("first_line", "desc")
      .limit(1)
      .executeTakeFirst();
    const chunks = await db
      .selectFrom("log_chunks")
      .select(["first_line", "last_line", "body"])
      .where("job_id", "=", jobId)
      .where("first_line", ">=", start?.first_line ?? next)
      .where("last_line", ">=", next)
      .orderBy("first_line")
      .limit(CHUNKS_PER_READ)
      .execute();
    for (const chunk of chunks) {
      const lines = (JSON.parse(chunk.body) as StoredLine[]).map(
        ([at, stepId, host, stream, text], index): LogLine => ({
          line: chunk.first_line + index,
          at,
          stepId,
          host,
          stream,
          text,
        }),
      );
      yield lines.filter(({ line }) => line >= from);
      next = chunk.last_line + 1;
    }
    if (chunks.length < CHUNKS_PER_READ) return;
  }
}

export async function readLog(
  session: Session,
  query: { jobId: string; from: number; limit: number },
): Promise<readonly LogLine[]> {
  return await session.read(async (db) => {
    const lines: LogLine[] = [];
    for await (const chunk of readChunks(db, query.jobId, query.from)) {
      lines.push(...chunk.slice(0, query.limit - lines.length));
      if (lines.length >= query.limit) break;
    }
    return lines;
  });
}

export async function searchLog(
  session: Session,
  query: { jobId: string; text: string; limit: number },
): Promise<{ total: number; lines: readonly LogLine[] }> {
  const wanted = query.text.toLowerCase();
  return await session.read(async (db) => {
    const lines: LogLine[] = [];
    let total = 0;
    for await (const chunk of readChunks(db, query.jobId, 1)) {
      for (const line of chunk) {
        if (!line.text.toLowerCase().includes(wanted)) continue;
        total += 1;
        if (lines.length < query.limit) lines.push(line);
      }
    }
    return { total, lines };
  });
}
