/** Shows our own offline page, cached by public/offline-worker.js, when a page cannot be fetched. */
export function offlinePage(): void {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    // A browser may forbid it, for example in a private window. It then shows its own error page.
    navigator.serviceWorker.register("/offline-worker.js").catch(() => undefined);
  });
}
