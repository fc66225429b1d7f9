/**
 * Google's domain field: asks the server 600 ms after the last key and shows its answer (docs/specification.md, sections 5
 * and 9.3).
 */
import * as paths from "#server/foundation/paths.ts";
import { fetchJson } from "./fetch-json.ts";
import { PendingCheck } from "./pending-check.ts";

const debounceMs = 600;

/** Event on the field's note after each check. Its detail is true for a domain that is already registered and can be transferred. */
export const domainChecked = "domain-checked";

export function domainCheck(root: Document): void {
  const check = new PendingCheck();
  root.addEventListener("input", ({ target }) => {
    const note = noteIn(root);
    if (note === null || !(target instanceof HTMLInputElement) || target.id !== note.dataset.domainCheck)
      return;
    note.textContent = "";
    check.begin(debounceMs, async (isCurrent) => {
      const domain = target.value.trim().toLowerCase();
      const said = domain === "" ? "" : await verdictOn(domain, note.dataset);
      if (!isCurrent()) return;
      note.textContent = said ?? "";
      const isTransfer = said === note.dataset.transferable;
      // Opens the questions of a transfer.
      if (isTransfer) note.nextElementSibling?.setAttribute("open", "");
      note.dispatchEvent(new CustomEvent(domainChecked, { bubbles: true, detail: isTransfer }));
    });
  });
  root.addEventListener("submit", () => {
    const note = noteIn(root);
    if (note === null) return;
    check.forget();
    note.textContent = "";
  });
}

function noteIn(root: Document): HTMLElement | null {
  return root.querySelector<HTMLElement>("[data-domain-check]");
}

async function verdictOn(domain: string, words: DOMStringMap): Promise<string | undefined> {
  const { status, body } = await fetchJson(paths.googleDomain(domain, words.console ?? "IP"));
  if (status === 400) return words.wrong;
  return [words.available, words.taken, words.transferable][Number(body.status)] ?? words.unknown;
}
