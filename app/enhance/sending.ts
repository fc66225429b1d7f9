/**
 * A form on its way: its button says so, and a second press sends nothing more. Before it goes, the store is asked whether it is
 * there, or the browser's own error page, and on a hydrated page ours, would take the place of everything typed. Offline, or
 * without an answer, the form stays as it is and says why, in its own words where it has some (data-when-unsent).
 */
import { notify } from "./notices.ts";

/** A file that the server gives without asking the app or the database. */
const smallFile = "/icon.svg";
/** A line that is slower than this is as good as none. */
const patienceMs = 10_000;

const reasons = {
  offline: {
    error: "this device is offline",
    words: "This device is offline. Nothing you typed is lost: send it again when the connection is back.",
  },
  silent: {
    error: "the store does not answer",
    words: "The store does not answer. Nothing you typed is lost: send it again in a minute.",
  },
};
type Reason = keyof typeof reasons;

export function sendingForms(root: Document): void {
  /** The store is being asked for them. */
  const asking = new Set<HTMLFormElement>();
  const sent = new Set<HTMLFormElement>();
  let mayGo: HTMLFormElement | null = null;
  // On the way down, before React: what it cannot send ends on an error page.
  window.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement) || form === mayGo || !wantsWords(form)) return;
      root.querySelector("[data-unsent]")?.remove();
      // What goes elsewhere, as to the payment page, is not ours to ask for.
      if (navigator.onLine && new URL(form.action).origin !== location.origin) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (asking.has(form) || sent.has(form)) return;
      asking.add(form);
      submitter?.setAttribute("aria-busy", "true");
      void hindrance().then((reason) => {
        asking.delete(form);
        submitter?.removeAttribute("aria-busy");
        if (reason === null) {
          mayGo = form;
          form.requestSubmit(submitter);
          mayGo = null;
        } else say(form, reason);
      });
    },
    true,
  );
  // On the way up an event arrives here last: React, listening at the document, has taken those that it sends itself.
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || form.method !== "post" || event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
    } else {
      sent.add(form);
      submitter?.setAttribute("aria-busy", "true");
    }
  });
  // Back from the next page, this one may be shown as it was left.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    sent.clear();
    for (const button of root.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
  });
}

/** What is posted is worth keeping; of what only asks, a form that has words for it. */
function wantsWords(form: HTMLFormElement): boolean {
  return form.method === "post" || form.dataset.whenUnsent !== undefined;
}

/** What keeps a form from being sent; null when nothing does. */
async function hindrance(): Promise<Reason | null> {
  if (!navigator.onLine) return "offline";
  const isThere = fetch(smallFile, { method: "HEAD", cache: "no-store" }).then(
    // A proxy answers for a server that does not.
    ({ status }) => status < 500,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false));
  return (await Promise.race([isThere, tooLate])) ? null : "silent";
}

function say(form: HTMLFormElement, reason: Reason): void {
  const { error, words } = reasons[reason];
  const said = form.dataset.whenUnsent?.replace("{error}", error) ?? words;
  if (form.method !== "post") {
    notify(said).dataset.unsent = "";
    return;
  }
  const note = document.createElement("p");
  note.dataset.unsent = "";
  note.className = "error-summary";
  note.setAttribute("role", "alert");
  note.textContent = said;
  form.prepend(note);
  // The button that was pressed may be a screen below.
  note.tabIndex = -1;
  note.focus();
}
