/** Links that open in a small window beside the page, which closes by itself when the page moves on. */
export function popups(root: Document): void {
  root.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const link = event.target.closest<HTMLAnchorElement>("a[data-popup]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The page there is told, so that it lets this one close it.
    const address = new URL(link.href);
    address.searchParams.set("window", "popup");
    const opened = window.open(address, link.dataset.popup, "popup,width=520,height=680");
    // A blocked popup is an ordinary new tab instead: the link does what it does without scripts.
    if (opened === null) return;
    event.preventDefault();
    window.addEventListener("pagehide", () => opened.close(), { once: true });
  });
}
