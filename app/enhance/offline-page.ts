/**
 * Shows our own offline page, cached by public/offline-worker.js, when a page cannot be fetched. The worker's address names
 * the page's language, so that another language brings another worker.
 */
export function offlinePage(): void {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    // A browser may forbid it, for example in a private window. It then shows its own error page.
    const worker = `/offline-worker.js?${document.documentElement.lang}`;
    navigator.serviceWorker.register(worker).catch(() => undefined);
  });
}
