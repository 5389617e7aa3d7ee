export type DatabaseKind = "sqlite" | "postgres";

/** One step of the schema's history. Once released it is never edited: a test holds its checksum. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The statements, in order. */
  readonly sql: (database: DatabaseKind) => readonly string[];
}

/** Splits a script at the semicolons that end its lines. Statements with inner ones are given apart. */
export function statements(script: string): readonly string[] {
  return script
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "");
}
