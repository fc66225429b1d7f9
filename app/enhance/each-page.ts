/** Watches for elements that appear later, because React shows the next page without a page load. */

/** Calls `look` now and after every change to the page's elements. */
export function onPageChange(root: Document, look: () => void): void {
  new MutationObserver(look).observe(root.body, { childList: true, subtree: true });
  look();
}
