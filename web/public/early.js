// Runs before the first paint.
const recall = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser that stores nothing follows the system.
    return null;
  }
};

// A chosen theme never flashes in from another one.
const chosen = recall("drover.theme") ?? "system";
const root = document.documentElement;
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
root.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
if (chosen === "contrast") root.setAttribute("data-contrast", "");

// What this address and this reader need comes beside the program, not after it. A wrong guess only costs a file.
const named = document.querySelector('meta[name="early-files"]');
if (named !== null) {
  const { pages, languages } = JSON.parse(named.content);
  const wanted = [recall("drover.language"), ...navigator.languages, "en"].map((tag) => tag?.slice(0, 2).toLowerCase());
  const language = wanted.find((tag) => tag in languages);
  const page = pages.find(([address]) => new RegExp(address).test(location.pathname));
  for (const file of new Set([...languages[language], ...(page?.[1] ?? [])])) {
    const link = document.createElement("link");
    const isStyle = file.endsWith(".css");
    link.rel = isStyle ? "preload" : "modulepreload";
    if (isStyle) link.as = "style";
    link.href = `/${file}`;
    document.head.append(link);
  }
}
