/** A page that cannot be fetched is one of ours, which public/offline-worker.js keeps for that. */
export function offlinePage(): void {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    // A browser may forbid it, as in a private window; then it shows a page of its own.
    navigator.serviceWorker.register("/offline-worker.js").catch(() => undefined);
  });
}
