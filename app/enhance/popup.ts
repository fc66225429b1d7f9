/** Links that open in a small window beside the page. The window closes when the page moves on. */
export function popups(root: Document): void {
  root.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const link = event.target.closest<HTMLAnchorElement>("a[data-popup]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Tells the opened page to keep its opener, so that this page can close it.
    const address = new URL(link.href);
    address.searchParams.set("window", "popup");
    const opened = window.open(address, link.dataset.popup, "popup,width=520,height=680");
    // When the popup is blocked, the link works as it does without scripts and opens a new tab.
    if (opened === null) return;
    event.preventDefault();
    window.addEventListener("pagehide", () => opened.close(), { once: true });
  });
}
