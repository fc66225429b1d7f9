/** A translator like Chrome's: replaces each text, including later ones, by a copy within two `font` elements. */
import type { Page } from "playwright/test";

/** Translations; other texts are copied unchanged. */
const words = {
  Total: "कुल",
  Bill: "बिल",
  "Choose your commitment": "अपनी अवधि चुनें",
  "Check your answers": "अपने उत्तर जाँचें",
};
type Words = Readonly<Record<string, string>>;

/** Translates the open page from now on, as on a reader's request. */
export async function translate(page: Page): Promise<void> {
  await hydrated(page);
  await page.evaluate(replaceTexts, words);
}

/** Translates every page of a tab once React has hydrated it. */
export async function translateAlways(page: Page): Promise<void> {
  await page.addInitScript(
    `(${beginOnceHydrated})(${isHydrated}, () => (${replaceTexts})(${JSON.stringify(words)}))`,
  );
}

/** Waits for hydration. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated);
}

function isHydrated(): boolean {
  return Object.keys(document).some((key) => key.startsWith("__reactContainer"));
}

/** Runs in the page. */
function beginOnceHydrated(isReady: () => boolean, begin: () => void): void {
  const timer = setInterval(() => {
    if (!isReady()) return;
    clearInterval(timer);
    begin();
  }, 5);
}

/** Runs in the page. */
function replaceTexts(translations: Words): void {
  const untouched = "script, style, textarea, noscript, font font";
  const textsIn = (root: Node): Node[] => {
    if (root.nodeType === Node.TEXT_NODE) return [root];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (walker.nextNode() !== null) found.push(walker.currentNode);
    return found;
  };
  const translateIn = (root: Node): void => {
    for (const text of textsIn(root)) {
      const parent = text.parentElement;
      if (parent === null || parent.closest(untouched) !== null) continue;
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      const said = text.nodeValue ?? "";
      inner.textContent = said.replace(said.trim(), translations[said.trim()] ?? said.trim());
      outer.append(inner);
      parent.replaceChild(outer, text);
    }
  };
  const begin = () =>
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const observer = new MutationObserver((changes) => {
    observer.disconnect();
    for (const { type, target, addedNodes } of changes)
      for (const node of type === "characterData" ? [target] : addedNodes)
        if (node.isConnected) translateIn(node);
    begin();
  });
  translateIn(document.body);
  begin();
}
