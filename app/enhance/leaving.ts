/** On a slow connection a clicked link seems to do nothing, so a slow page load shows a progress bar. */
const patienceMs = 300;

export function leavingPages(root: Document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => root.documentElement.classList.add("leaving"), patienceMs);
  };
  // Listens at the window, which bubbling events reach last: by then popups and React have handled theirs.
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link !== null && leaves(link)) wait();
  });
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) wait();
  });
  // The back/forward cache may restore this page in the state it was left in.
  window.addEventListener("pageshow", () => {
    clearTimeout(timer);
    root.documentElement.classList.remove("leaving");
  });
}

/** Whether a link leads to another page in this window, and not to a fragment, a file, a mail address or another window. */
function leaves(link: HTMLAnchorElement): boolean {
  if (link.target !== "" || link.hasAttribute("download") || !link.protocol.startsWith("http")) return false;
  return link.hash === "" || link.href.split("#")[0] !== location.href.split("#")[0];
}
