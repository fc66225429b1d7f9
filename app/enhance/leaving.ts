/** On a slow line a press on a link seems to do nothing: a page that is long in coming has a bar at its top meanwhile. */
const patienceMs = 300;

export function leavingPages(root: Document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => root.documentElement.classList.add("leaving"), patienceMs);
  };
  // At the window, where an event arrives last: what opens a small window or is sent by React has been taken.
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link !== null && leaves(link)) wait();
  });
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) wait();
  });
  // Back from the next page, this one may be shown as it was left.
  window.addEventListener("pageshow", () => {
    clearTimeout(timer);
    root.documentElement.classList.remove("leaving");
  });
}

/** To another page in this window; not to a place on this one, a file, a mail or somewhere beside it. */
function leaves(link: HTMLAnchorElement): boolean {
  if (link.target !== "" || link.hasAttribute("download") || !link.protocol.startsWith("http")) return false;
  return link.hash === "" || link.href.split("#")[0] !== location.href.split("#")[0];
}
