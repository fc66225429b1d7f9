/**
 * A form on its way: its button says so and a second click sends nothing more. Without a network it is not sent, and says so
 * in its own words (data-when-offline), where the browser would put a page of its own over everything typed.
 */
export function sendingForms(root: Document): void {
  const sent = new Set<HTMLFormElement>();
  // At the window, where an event arrives last: React, listening at the document, has taken those that it sends itself.
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || form.method !== "post" || event.defaultPrevented) return;
    const words = form.dataset.whenOffline;
    if (words !== undefined && !navigator.onLine) {
      event.preventDefault();
      say(form, words);
    } else if (sent.has(form)) {
      event.preventDefault();
    } else {
      sent.add(form);
      submitter?.setAttribute("aria-busy", "true");
    }
  });
  // Back from the next page, this one may be shown as it was left.
  window.addEventListener("pageshow", () => {
    sent.clear();
    for (const button of root.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
  });
}

function say(form: HTMLFormElement, words: string): void {
  form.querySelector("[data-offline]")?.remove();
  const note = document.createElement("p");
  note.dataset.offline = "";
  note.className = "error-summary";
  note.setAttribute("role", "alert");
  note.textContent = words;
  form.prepend(note);
}
