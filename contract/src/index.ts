export * from "./errors.ts";
export * from "./status.ts";
