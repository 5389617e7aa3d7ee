/** What stands in the page before its program does, and until it is known who looks at it: the frame of every page. */
export function Boot() {
  return (
    <div className="boot" aria-hidden>
      <div className="boot-nav">
        <img className="boot-mark" src="/icon.svg" alt="" />
      </div>
      <div className="boot-bar" />
    </div>
  );
}
