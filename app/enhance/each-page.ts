/** What is to be found on a page may come later: React shows the next page without a load. */

/** Looks now, and whenever something came to the page or went. */
export function onEachPage(root: Document, look: () => void): void {
  new MutationObserver(look).observe(root.body, { childList: true, subtree: true });
  look();
}
