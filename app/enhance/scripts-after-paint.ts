/** Fetches and runs a hydrated page's scripts, and fetches its messages, once the page has been painted: see http/scripts-after-paint.ts. */
import { deferredType } from "../http/scripts-after-paint.ts";

export function deferredScripts(root: Document): void {
  const start = () => {
    for (const link of root.querySelectorAll<HTMLLinkElement>(`link[rel=${deferredType}]`))
      link.rel = link.as === "fetch" ? "preload" : "modulepreload";
    for (const waiting of root.querySelectorAll<HTMLScriptElement>(`script[type=${deferredType}]`)) {
      // Only a new element is run.
      const script = root.createElement("script");
      script.type = "module";
      script.nonce = waiting.nonce;
      script.textContent = waiting.textContent;
      waiting.replaceWith(script);
    }
  };
  // A page in the background is not painted.
  if (root.hidden) start();
  else
    new PerformanceObserver((entries, observer) => {
      // The first paint may be of the background alone.
      if (entries.getEntriesByName("first-contentful-paint")[0] === undefined) return;
      observer.disconnect();
      start();
    }).observe({ type: "paint", buffered: true });
}
