/**
 * A form on its way: its button says so and a second click sends nothing more. Without a network it is not sent, and says so,
 * in its own words where it has some (data-when-offline): the browser would put a page of its own over everything typed.
 */
const offlineWords =
  "This device is offline. Nothing you typed is lost: send it again when the connection is back.";

export function sendingForms(root: Document): void {
  const sent = new Set<HTMLFormElement>();
  // On the way down, before React: what it cannot send ends on an error page.
  window.addEventListener(
    "submit",
    (event) => {
      const form = postIn(event);
      form?.querySelector("[data-offline]")?.remove();
      if (form === null || navigator.onLine) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(form, form.dataset.whenOffline ?? offlineWords);
    },
    true,
  );
  // On the way up an event arrives here last: React, listening at the document, has taken those that it sends itself.
  window.addEventListener("submit", (event) => {
    const form = postIn(event);
    if (form === null || event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
    } else {
      sent.add(form);
      event.submitter?.setAttribute("aria-busy", "true");
    }
  });
  // Back from the next page, this one may be shown as it was left.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    sent.clear();
    for (const button of root.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
  });
}

function postIn({ target }: Event): HTMLFormElement | null {
  return target instanceof HTMLFormElement && target.method === "post" ? target : null;
}

function say(form: HTMLFormElement, words: string): void {
  const note = document.createElement("p");
  note.dataset.offline = "";
  note.className = "error-summary";
  note.setAttribute("role", "alert");
  note.textContent = words;
  form.prepend(note);
  // The button that was pressed may be a screen below.
  note.tabIndex = -1;
  note.focus();
}
