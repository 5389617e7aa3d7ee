// Runs before the first paint, so that a chosen theme never flashes in from another one.
let chosen = "system";
try {
  chosen = localStorage.getItem("drover.theme") ?? "system";
} catch {
  // A browser that stores nothing follows the system.
}
const root = document.documentElement;
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
root.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
if (chosen === "contrast") root.setAttribute("data-contrast", "");
