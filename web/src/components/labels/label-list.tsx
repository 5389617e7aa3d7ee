import css from "./labels.module.css";

/** Labels in one line; what does not fit is cut, and shown on hover. */
export function LabelList({ labels, wrap = false }: { labels: Readonly<Record<string, string>>; wrap?: boolean }) {
  const all = Object.entries(labels);
  return (
    <span
      className={wrap ? `${css.labels} ${css.wrap}` : css.labels}
      title={all.map((pair) => pair.join("=")).join(" ")}
    >
      {all.map(([key, value]) => (
        <span key={key} className={css.label}>
          <span>{key}</span>
          {value}
        </span>
      ))}
    </span>
  );
}
