/** Google's domain field: asks the server 600 ms after the last key, and says what it answered (SPEC sections 5 and 9). */
import { paths } from "../paths.ts";
import { PendingCheck } from "./pending-check.ts";

const debounceMs = 600;

const notChecked = "an error occurred while validating the domain";
const verdicts: Record<string, string> = {
  0: "Domain available!",
  1: "This domain is not available for signup. Please choose a different domain.",
  2: "This domain is already registered and can be transferred to us with a transfer token.",
};

export function domainCheck(root: Document): void {
  const check = new PendingCheck();
  root.addEventListener("input", ({ target }) => {
    const note = noteIn(root);
    if (note === null || !(target instanceof HTMLInputElement) || target.id !== note.dataset.domainCheck)
      return;
    note.textContent = "";
    check.begin(debounceMs, async (isCurrent) => {
      const domain = target.value.trim().toLowerCase();
      if (domain === "") return;
      const said = await ask(domain, note.dataset.console ?? "IP");
      if (isCurrent()) note.textContent = said;
    });
  });
  root.addEventListener("submit", ({ target }) => {
    const note = noteIn(root);
    if (note === null || note.closest("form") !== target) return;
    check.forget();
    note.textContent = "";
  });
}

function noteIn(root: Document): HTMLElement | null {
  return root.querySelector<HTMLElement>("[data-domain-check]");
}

async function ask(domain: string, console: string): Promise<string> {
  const response = await fetch(paths.googleDomain(domain, console), {
    headers: { Accept: "application/json" },
  }).catch(() => null);
  if (response?.status === 400) return "Please enter a valid domain (e.g., yourcompany.com)";
  const body: unknown = response?.ok ? await response.json() : null;
  const status = typeof body === "object" && body !== null && "status" in body ? String(body.status) : "";
  return verdicts[status] ?? notChecked;
}
