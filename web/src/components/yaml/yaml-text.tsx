import css from "./yaml.module.css";

/** A document to read, with its keys told from its values. What is no key stays as it is. */
export function YamlText({ text }: { readonly text: string }) {
  return text.split(/^(\s*(?:- )?[^\s#:][^:\n]*:)(?=\s|$)/m).map((piece, index) =>
    // Every other piece is a key.
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className={css.key}>
        {piece}
      </span>
    ),
  );
}
