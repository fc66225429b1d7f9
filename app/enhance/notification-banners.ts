/**
 * Notifications close by their button or after 5.5 s. Hover and focus pause the timer, so that nobody loses one while reading
 * it.
 */
import { onClick } from "./clicks.ts";
import { onPageChange } from "./each-page.ts";

const autoCloseMs = 5500;
/** Longer than the fade in app.css. With reduced motion it is just a delay. */
const fadeMs = 200;

export function notificationBanners(root: Document): void {
  const watched = new WeakSet<Element>();
  const watchNew = () => {
    for (const notice of root.querySelectorAll<HTMLElement>("[data-notice]")) {
      if (!watched.has(notice)) closeInTime(notice);
      watched.add(notice);
    }
  };
  onClick(root, "[data-notice-close]", (button) => {
    const notice = button.closest<HTMLElement>("[data-notice]");
    if (notice === null) return;
    // The focused element is about to disappear, so the focus moves to the main content.
    if (notice.contains(root.activeElement)) root.querySelector<HTMLElement>("main")?.focus();
    close(notice);
  });
  onPageChange(root, watchNew);
}

/** Shows a message above the main content of a loaded page. */
export function showNotificationBanner(type: "error" | "info", ...said: (string | Node)[]): HTMLElement {
  const notice = document.createElement("div");
  notice.className = `notice ${type}`;
  notice.setAttribute("role", type === "error" ? "alert" : "status");
  const words = document.createElement("p");
  words.append(...said);
  notice.append(words);
  document.getElementById("main")?.before(notice);
  return notice;
}

/** An error that can be closed, with the markup of ui/notification-banner.tsx. @param close names its button @returns the notification */
export function createErrorBanner(text: string, close: string): HTMLElement {
  const notice = showNotificationBanner("error", text);
  notice.dataset.notice = "";
  const closing = document.createElement("button");
  closing.type = "button";
  closing.className = "quiet";
  closing.dataset.noticeClose = "";
  closing.textContent = close;
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
  // At this point the focus is still inside the notification.
  notice.addEventListener("focusout", () => setTimeout(start));
  start();
}

/** Hidden rather than removed, because React owns the element. */
function close(notice: HTMLElement): void {
  notice.classList.add("closing");
  setTimeout(() => {
    notice.hidden = true;
  }, fadeMs);
}
