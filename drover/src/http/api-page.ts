/** As much of the OpenAPI document as the page shows. */
interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly "x-drover-access": string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
}

/** The API as a page that needs no script. */
export function renderApiPage(openApi: string): string {
  const document = JSON.parse(openApi) as ApiDocument;
  const sections = document.tags.map(({ name }) => renderSection(name, document)).join("\n");
  const contents = document.tags.map(({ name }) => `<li><a href="#${name}">${titleOf(name)}</a></li>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drover API</title>
<link rel="stylesheet" href="/api/v1/docs.css">
</head>
<body>
<nav aria-label="Resources"><ul>${contents}</ul></nav>
<main>
<h1>Drover API</h1>
<p>${escapeHtml(document.info.description)}</p>
<p>With all schemas: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${sections}
</main>
</body>
</html>
`;
}

function renderSection(tag: string, { paths }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return `<section id="${tag}"><h2>${titleOf(tag)}</h2>${operations.join("\n")}</section>`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const { summary, parameters, requestBody, responses } = operation;
  const sent = [
    ...parameters.map(
      ({ name, in: place, required }) =>
        `<li><code>${escapeHtml(name)}</code> in ${place}${required ? ", required" : ""}</li>`,
    ),
    ...Object.keys(requestBody?.content ?? {}).map((type) => `<li>a body as <code>${escapeHtml(type)}</code></li>`),
  ];
  const answers = Object.entries(responses).map(
    ([status, { description }]) => `<tr><td>${status}</td><td>${escapeHtml(description)}</td></tr>`,
  );
  return `<details><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>
<span class="access">${escapeHtml(operation["x-drover-access"])}</span><span class="what">${escapeHtml(summary)}</span></summary>
${sent.length === 0 ? "" : `<h3>Sent</h3><ul>${sent.join("")}</ul>`}
<h3>Answers</h3><table><tbody>${answers.join("")}</tbody></table></details>`;
}

function titleOf(tag: string): string {
  const words = tag.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return escapeHtml(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);

export const API_PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2rem; max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
nav { position: sticky; top: 1.5rem; align-self: start; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { text-decoration: none; }
h2 { margin-top: 2.5rem; }
h3 { font-size: 0.9rem; margin: 0.8rem 0 0.2rem; }
details { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.4rem 0; }
summary { cursor: pointer; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 600; }
.access { float: right; font-size: 0.85rem; opacity: 0.75; }
.what { display: block; padding-left: 1.1rem; opacity: 0.85; }
table { border-collapse: collapse; font-size: 0.9rem; }
td { padding: 0.1rem 0.8rem 0.1rem 0; vertical-align: top; }
code { font-size: 0.95em; overflow-wrap: anywhere; }
@media (max-width: 48rem) { body { display: block; } nav { position: static; } .access { float: none; margin-left: 0.6rem; } }
`;
