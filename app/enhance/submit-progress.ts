/**
 * Submitting forms: the button shows progress, and a second press is ignored. The server is probed first, because otherwise
 * an error page (the browser's own, or ours on a hydrated page) would replace everything typed. Offline, or without an
 * answer, the form stays and says why, in its own words where it has some (data-when-unsent), else in the page's
 * (ui/script-texts.ts).
 */
import { createErrorBanner } from "./notification-banners.ts";

/** A static file, served without the app or the database. */
const smallFile = "/icon.svg";
/** A slower connection counts as none. */
const timeoutMs = 10_000;

type Reason = "offline" | "silent";

export function submitProgress(root: Document): void {
  // Read now: a React render removes the attributes.
  const texts = { ...root.body.dataset };
  /** Forms for which the server is being probed. */
  const asking = new Set<HTMLFormElement>();
  const sent = new Set<HTMLFormElement>();
  let mayGo: HTMLFormElement | null = null;
  // In the capture phase, before React: a submission that React fails to send ends on an error page.
  window.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement) || form === mayGo || !wantsWords(form)) return;
      root.querySelector("[data-unsent]")?.remove();
      // A form for another origin, such as the payment page, cannot be probed.
      if (navigator.onLine && new URL(form.action).origin !== location.origin) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (asking.has(form) || sent.has(form)) return;
      asking.add(form);
      submitter?.setAttribute("aria-busy", "true");
      announceWait(form);
      void whyNot().then((reason) => {
        asking.delete(form);
        submitter?.removeAttribute("aria-busy");
        if (reason === null) {
          const there = twinOf(form, root.forms);
          mayGo = there;
          there.requestSubmit(submitter && twinOf(submitter, there.elements));
          mayGo = null;
        } else say(form, texts, reason);
      });
    },
    true,
  );
  window.addEventListener("online", () => root.querySelector("[data-unsent]")?.remove());
  // In the bubble phase the window comes last: React, listening at the document, has handled its own submissions.
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !wantsWords(form) || event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    sent.add(form);
    submitter?.setAttribute("aria-busy", "true");
  });
  // The back/forward cache may restore this page in the state it was left in.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    sent.clear();
    for (const button of root.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
  });
}

/**
 * Returns the element that replaced this one: React draws a page a second time when a browser has changed it, and may do so while
 * the server is probed. A form that is not in the page is never sent.
 */
function twinOf<Kind extends HTMLElement>(element: Kind, among: Iterable<Element>): Kind {
  const marksOf = (each: Element) =>
    [each.tagName, ...["id", "name", "value", "action"].map((name) => each.getAttribute(name))].join() +
    (each instanceof HTMLFormElement ? "" : each.textContent);
  const all = [...among].filter((each): each is Kind => marksOf(each) === marksOf(element));
  return all.includes(element) || all.length !== 1 ? element : (all[0] ?? element);
}

/** Delay after which styles/overlay.css shows a spinner over a form that has a waiting text. */
const overlayAfterMs = 300;

function announceWait(form: HTMLFormElement): void {
  const { overlay } = form.dataset;
  if (overlay === undefined) return;
  setTimeout(() => {
    if (form.querySelector("[aria-busy]") !== null) noteIn(form, "visually-hidden", "status", overlay);
  }, overlayAfterMs);
}

/** Covers every POST form, and GET forms with their own texts. */
function wantsWords(form: HTMLFormElement): boolean {
  return form.method === "post" || form.dataset.whenUnsent !== undefined;
}

/** The reason why a form cannot be sent, or null. */
async function whyNot(): Promise<Reason | null> {
  if (!navigator.onLine) return "offline";
  const isThere = fetch(smallFile, { method: "HEAD", cache: "no-store" }).then(
    // A 5xx answer comes from a proxy in front of a server that is down.
    ({ status }) => status < 500,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false));
  return (await Promise.race([isThere, tooLate])) ? null : "silent";
}

function say(form: HTMLFormElement, texts: DOMStringMap, reason: Reason): void {
  const said =
    form.dataset.whenUnsent?.replace("{error}", texts[`${reason}Reason`] ?? "") ?? texts[reason] ?? "";
  if (form.method !== "post") {
    createErrorBanner(said, texts.close ?? "").dataset.unsent = "";
    return;
  }
  const note = noteIn(form, "error-summary", "alert", said);
  // The pressed button may be a screen further down.
  note.tabIndex = -1;
  note.focus();
}

function noteIn(form: HTMLFormElement, className: string, role: string, words: string): HTMLElement {
  const note = document.createElement("p");
  note.dataset.unsent = "";
  note.className = className;
  note.role = role;
  form.prepend(note);
  // Screen readers announce only changes inside a live region.
  note.textContent = words;
  return note;
}
