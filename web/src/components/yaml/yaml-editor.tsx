import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { tags } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "react";
import css from "./yaml.module.css";
import type { Mark } from "./yaml-document.ts";

export interface YamlEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly marks: readonly Mark[];
  readonly onSubmit?: () => void;
}

/** Colours by the tokens of the page, which reach into the shadow tree. */
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--sunken)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  // Its own signs are images within the styles, which the policy of the page does not load.
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad-solid)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
    backgroundColor: "var(--bad-soft)",
    borderRadius: "2px",
  },
  ".cm-gutter-lint": { width: "22px" },
  ".cm-gutter-lint .cm-gutterElement": { display: "grid", placeItems: "center", padding: "0" },
  ".cm-lint-marker": { width: "15px", height: "15px" },
  ".cm-lint-marker-error": {
    content: "normal",
    display: "grid",
    placeItems: "center",
    borderRadius: "50%",
    backgroundColor: "var(--bad-button)",
  },
  ".cm-lint-marker-error::before": {
    content: '"!"',
    font: "700 11px / 1 var(--font)",
    color: "var(--on-bad)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad-solid)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
});

const WORDS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
    { tag: [tags.string, tags.content], color: "var(--ink)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--busy)" },
    { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
    { tag: [tags.meta, tags.separator, tags.punctuation], color: "var(--ink-soft)" },
  ]),
);

/**
 * A YAML editor. It lives in a shadow tree, where its styles are adopted as style sheets: the page allows no style tags.
 */
export function YamlEditor({ label, value, onChange, marks, onSubmit }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, onSubmit });
  latest.current = { onChange, onSubmit };
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const editor = new EditorView({
      doc: value,
      parent: root,
      root,
      extensions: [
        basicSetup,
        yaml(),
        lintGutter(),
        LOOK,
        WORDS,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        EditorView.domEventHandlers({
          keydown: (event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false;
            latest.current.onSubmit?.();
            return true;
          },
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- made once; what changes later is handed on below
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: smallestChange(editor.state.doc.toString(), value) });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const end = editor.state.doc.length;
    const diagnostics = marks.map(({ from, to, message }) => ({
      from: Math.min(from, end),
      to: Math.min(Math.max(to, from), end),
      severity: "error" as const,
      message,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [marks]);
  return <div ref={host} className={css.editor} />;
}

/** Replaces no more than what differs, so that the cursor stays where it is. */
function smallestChange(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let [to, end] = [before.length, after.length];
  while (to > from && end > from && before[to - 1] === after[end - 1]) {
    to -= 1;
    end -= 1;
  }
  return { from, to, insert: after.slice(from, end) };
}
