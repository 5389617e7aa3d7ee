export * from "./cluster/index.ts";
export * from "./errors.ts";
export * from "./expand-range.ts";
export * from "./machine.ts";
export * from "./machine-facts.ts";
export * from "./problems.ts";
export * from "./routes/index.ts";
export * from "./status.ts";
