// Runs before the first paint, so that a chosen theme never flashes in from the other one.
try {
  const chosen = localStorage.getItem("drover.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that stores nothing follows the system.
}
