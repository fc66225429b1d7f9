/**
 * Notifications close by their button, or by themselves after 5.5 s; not while they are pointed at or hold the focus, so that
 * nobody loses one while reading it.
 */
import { onEachPage } from "./each-page.ts";

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
  onEachPage(root, watchNew);
}

/** Says something above what the page is about, which is there already. */
export function showNotice(type: "error" | "info", ...said: (string | Node)[]): HTMLElement {
  const notice = document.createElement("div");
  notice.className = `notice ${type}`;
  notice.setAttribute("role", type === "error" ? "alert" : "status");
  const words = document.createElement("p");
  words.append(...said);
  notice.append(words);
  document.getElementById("main")?.before(notice);
  return notice;
}

/** An error that closes, as ui/notice.tsx has it. @returns the notification */
export function notify(text: string): HTMLElement {
  const notice = showNotice("error", text);
  notice.dataset.notice = "";
  const closing = document.createElement("button");
  closing.type = "button";
  closing.className = "quiet";
  closing.dataset.noticeClose = "";
  closing.textContent = "Close";
  notice.append(closing);
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
