/**
 * Notifications close by their button, or by themselves after 5.5 s; not while they are pointed at or hold the focus, so that
 * nobody loses one while reading it.
 */
const autoCloseMs = 5500;
/** The fade of app.css is shorter; without motion it only waits. */
const fadeMs = 200;

export function notices(root: Document): void {
  const watched = new WeakSet<Element>();
  const watchNew = () => {
    for (const notice of root.querySelectorAll<HTMLElement>("[data-notice]")) {
      if (!watched.has(notice)) closeInTime(notice);
      watched.add(notice);
    }
  };
  root.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("[data-notice-close]") === null) return;
    const notice = target.closest<HTMLElement>("[data-notice]");
    if (notice === null) return;
    // What had the focus goes: it moves to what the page is about.
    if (notice.contains(root.activeElement)) root.querySelector<HTMLElement>("main")?.focus();
    close(notice);
  });
  // One may come later, when React shows the next page without a load.
  new MutationObserver(watchNew).observe(root.body, { childList: true });
  watchNew();
}

/** Shows an error as ui/notice.tsx does, on a page that is there already. @returns the notification */
export function notify(text: string): HTMLElement {
  const notice = document.createElement("div");
  notice.className = "notice error";
  notice.setAttribute("role", "alert");
  notice.dataset.notice = "";
  const words = document.createElement("p");
  words.textContent = text;
  const closing = document.createElement("button");
  closing.type = "button";
  closing.className = "quiet";
  closing.dataset.noticeClose = "";
  closing.textContent = "Close";
  notice.append(words, closing);
  document.getElementById("main")?.before(notice);
  return notice;
}

function closeInTime(notice: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    clearTimeout(timer);
    if (!notice.matches(":hover, :focus-within")) timer = setTimeout(() => close(notice), autoCloseMs);
  };
  const stop = () => clearTimeout(timer);
  notice.addEventListener("pointerenter", stop);
  notice.addEventListener("focusin", stop);
  notice.addEventListener("pointerleave", start);
  // The focus is still inside while it leaves.
  notice.addEventListener("focusout", () => setTimeout(start));
  start();
}

/** Hidden, not removed: the element is React's. */
function close(notice: HTMLElement): void {
  notice.classList.add("closing");
  setTimeout(() => {
    notice.hidden = true;
  }, fadeMs);
}
