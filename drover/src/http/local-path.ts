/** A place on this very site to go to; anything else is the front page. */
export function readLocalPath(asked: string | undefined): string {
  if (asked === undefined || !/^\/(?![/\\])[^\\\p{C}]*$/u.test(asked)) return "/";
  const base = "http://drover.invalid";
  if (!URL.canParse(asked, base)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, base);
  const isPage = origin === base && !pathname.startsWith("//") && !/^\/api(\/|$)/.test(pathname);
  return isPage ? `${pathname}${search}${hash}` : "/";
}
