/** The mark: a drover's crook, and the herd that it keeps in order. */
export function Logo() {
  return (
    <span className="logo">
      <svg className="logo-mark" viewBox="0 0 64 64" aria-hidden="true">
        <rect className="logo-field" width="64" height="64" rx="15" />
        <path className="logo-crook" d="M19 51V24a10.5 10.5 0 0 1 21 0v2.5" />
        <circle className="logo-herd" cx="33" cy="47.5" r="4.6" />
        <circle className="logo-herd" cx="46.5" cy="47.5" r="4.6" />
        <circle className="logo-herd" cx="46.5" cy="34" r="4.6" />
      </svg>
      <span className="logo-word">Drover</span>
    </span>
  );
}
