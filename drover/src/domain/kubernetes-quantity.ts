const FACTORS: Readonly<Record<string, number>> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** An amount as Kubernetes writes it (`250m`, `64Mi`, `1e3`), as a number; null for what is none. */
export function parseQuantity(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string") return null;
  const [, digits, exponent = "", suffix = ""] = /^([+-]?\d*\.?\d+\.?)(e[+-]?\d+)?([a-zA-Z]*)$/i.exec(value) ?? [];
  const factor = FACTORS[suffix];
  if (digits === undefined || factor === undefined) return null;
  const amount = Number(`${digits}${exponent}`) * factor;
  return Number.isFinite(amount) ? amount : null;
}
