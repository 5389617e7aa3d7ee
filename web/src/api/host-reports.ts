import type { doctorRoutes } from "@drover/contract";

/** Typed by the contract but written out: the page does not carry the contract's schemas for one address. */
const DOCTOR: (typeof doctorRoutes)["listReports"]["path"] = "/api/v1/doctor";

export interface HostFinding {
  readonly check: string;
  readonly result: "ok" | "warning" | "problem";
  readonly detail: string;
  readonly next: string;
}

export interface HostReport {
  readonly worker: string;
  readonly host: string;
  readonly checkedTime: string;
  readonly findings: readonly HostFinding[];
}

export type HostReports =
  | { readonly kind: "loading" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "unknown" }
  | { readonly kind: "told"; readonly reports: readonly HostReport[] };

/** What workers say of their machines. Never throws. */
export async function readHostReports(signal: AbortSignal, ask: typeof fetch = fetch): Promise<HostReports> {
  try {
    const answer = await ask(DOCTOR, { signal, headers: { accept: "application/json" } });
    if (answer.status === 401) return { kind: "signed-out" };
    if (!answer.ok) return { kind: "unknown" };
    return { kind: "told", reports: ((await answer.json()) as { items: readonly HostReport[] }).items };
  } catch {
    return { kind: "unknown" };
  }
}
