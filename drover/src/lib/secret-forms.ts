/** Shorter texts are no secrets: anybody guesses them, and hiding each "1" would leave no log to read. */
export const SHORTEST_SECRET = 3;
/** Pieces of an encoded form below this length are found in anything. */
const SHORTEST_FRAGMENT = 5;
/** A word of a longer text that is long enough to be a key or a token rather than a word of a language. */
const SHORTEST_WORD = 24;
/** Beyond this length only the text itself and its words are looked for. */
const LONGEST_ENCODED = 16_384;

/**
 * The ways in which a secret may turn up in a text, without line breaks: as it is, in JSON, in a URL, in base64
 * (alone, or within something longer that was encoded as a whole), and the long words of a text of several lines,
 * which may be printed with indentation.
 */
export function secretForms(secret: string): readonly string[] {
  const text = secret.trim();
  if (text.length < SHORTEST_SECRET) return [];
  const forms = new Set([text, JSON.stringify(text).slice(1, -1)]);
  if (/\s/.test(text)) for (const word of text.split(/\s+/)) if (word.length >= SHORTEST_WORD) forms.add(word);
  if (text.length <= LONGEST_ENCODED) {
    // As printed, and with the line end that belongs to it in a file.
    for (const variant of new Set([text, secret])) {
      for (const form of [...urlForms(variant), ...base64Forms(variant)]) forms.add(form);
    }
  }
  return [...forms].map((form) => form.replace(/[\r\n]/g, "")).filter((form) => form.length >= SHORTEST_SECRET);
}

function urlForms(text: string): readonly string[] {
  const wellFormed = Buffer.from(text).toString();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", wellFormed]]).toString().slice(1);
  const forms = [component, strict, component.replaceAll("%20", "+"), form];
  return [...forms, ...forms.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))];
}

/** A base64 digit holds six bits: of a secret within something longer, only digits that hold nothing else are known. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const forms = [bytes.toString("base64"), bytes.toString("base64url")];
  for (const before of [0, 1, 2]) {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const known = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (known.length >= SHORTEST_FRAGMENT) forms.push(known, known.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}
