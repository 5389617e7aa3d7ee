import css from "./shell.module.css";

/** The mark: a drover's crook, and the herd that it keeps in order. */
export function Logo() {
  return (
    <span className={css.logo}>
      <svg className={css.logoMark} viewBox="0 0 64 64" aria-hidden="true">
        <rect className={css.logoField} width="64" height="64" rx="15" />
        <path className={css.logoCrook} d="M19 51V24a10.5 10.5 0 0 1 21 0v2.5" />
        <circle className={css.logoHerd} cx="33" cy="47.5" r="4.6" />
        <circle className={css.logoHerd} cx="46.5" cy="47.5" r="4.6" />
        <circle className={css.logoHerd} cx="46.5" cy="34" r="4.6" />
      </svg>
      <span className={css.logoWord} translate="no">
        {"Drover"}
      </span>
    </span>
  );
}
