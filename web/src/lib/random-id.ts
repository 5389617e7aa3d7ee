/** An id that nobody else makes. `crypto.randomUUID` is missing where a page comes over plain HTTP from another host. */
export function makeRandomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
