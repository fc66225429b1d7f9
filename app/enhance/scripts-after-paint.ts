/** Runs a hydrated page's scripts and fetches its messages once the page has been painted (http/scripts-after-paint.ts). */
import { deferredType } from "../http/scripts-after-paint.ts";

export function deferredScripts(root: Document): void {
  const start = () => {
    for (const link of root.querySelectorAll<HTMLLinkElement>(`link[rel=${deferredType}]`))
      link.rel = link.as === "fetch" ? "preload" : "modulepreload";
    for (const waiting of root.querySelectorAll<HTMLScriptElement>(`script[type=${deferredType}]`)) {
      // A browser runs a script element only if it was newly created.
      const script = root.createElement("script");
      script.type = "module";
      script.nonce = waiting.nonce;
      script.textContent = waiting.textContent;
      waiting.replaceWith(script);
    }
  };
  // A background page is never painted.
  if (root.hidden) start();
  else
    new PerformanceObserver((entries, observer) => {
      // The first paint can consist of the background only.
      if (entries.getEntriesByName("first-contentful-paint")[0] === undefined) return;
      observer.disconnect();
      start();
    }).observe({ type: "paint", buffered: true });
}
