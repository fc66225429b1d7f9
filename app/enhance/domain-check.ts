/** Google's domain field: asks the server 600 ms after the last key, and says what it answered (SPEC sections 5 and 9). */
import { paths } from "../paths.ts";

const debounceMs = 600;

const notChecked = "an error occurred while validating the domain";
const verdicts: Record<string, string> = {
  0: "Domain available!",
  1: "This domain is not available for signup. Please choose a different domain.",
  2: "This domain is already registered and can be transferred to us with a transfer token.",
};

export function domainCheck(root: Document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  root.addEventListener("input", ({ target }) => {
    const note = root.querySelector<HTMLElement>("[data-domain-check]");
    if (note === null || !(target instanceof HTMLInputElement) || target.id !== note.dataset.domainCheck)
      return;
    clearTimeout(timer);
    note.textContent = "";
    timer = setTimeout(() => {
      void show(note, target.value.trim().toLowerCase());
    }, debounceMs);
  });
}

async function show(note: HTMLElement, domain: string): Promise<void> {
  if (domain === "") return;
  const response = await fetch(paths.googleDomain(domain, note.dataset.console ?? "IP"), {
    headers: { Accept: "application/json" },
  }).catch(() => null);
  if (response?.status === 400) {
    note.textContent = "Please enter a valid domain (e.g., yourcompany.com)";
    return;
  }
  const body: unknown = response?.ok ? await response.json() : null;
  const status = typeof body === "object" && body !== null && "status" in body ? String(body.status) : "";
  note.textContent = verdicts[status] ?? notChecked;
}
