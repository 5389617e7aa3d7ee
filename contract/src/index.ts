export * from "./cluster/index.ts";
export * from "./errors.ts";
export * from "./problems.ts";
export * from "./routes/index.ts";
export * from "./status.ts";
