/**
 * Microsoft Sign-In: previews the username and asks the server whether the domain is free, half a second after the last
 * key (SPEC section 9). The server checks again when the form is posted.
 */
import { paths } from "../paths.ts";

const debounceMs = 500;
const free = "Domain available!";

export function prefixCheck(root: Document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  root.addEventListener("input", (event) => {
    const note = root.querySelector<HTMLElement>("[data-prefix-check]");
    if (note === null || !(event.target instanceof HTMLInputElement)) return;
    const prefix = inputOf(root, note.dataset.prefixCheck);
    const username = inputOf(root, note.dataset.username);
    if (prefix === null || username === null || (event.target !== prefix && event.target !== username))
      return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void show(note, username.value.trim(), prefix.value.trim().toLowerCase());
    }, debounceMs);
  });
}

async function show(note: HTMLElement, username: string, prefix: string): Promise<void> {
  const preview = note.querySelector("[data-preview]");
  const verdict = note.ownerDocument.querySelector("[data-verdict]");
  if (preview === null || verdict === null) return;
  preview.textContent = `${username}@${prefix}.onmicrosoft.com`;
  verdict.textContent = "";
  verdict.classList.remove("error");
  if (!/^[a-z0-9]{1,27}$/.test(prefix)) return;
  const said = await ask(prefix);
  verdict.textContent = said;
  // Said like any other mistake, and without its colour when it is none.
  verdict.classList.toggle("error", said !== free);
}

async function ask(prefix: string): Promise<string> {
  const response = await fetch(paths.microsoftDomain(prefix), {
    headers: { Accept: "application/json" },
  }).catch(() => null);
  const body: unknown = response?.ok ? await response.json() : null;
  if (typeof body !== "object" || body === null || !("valid" in body)) {
    return "an error occurred while validating the domain";
  }
  return body.valid === true ? free : "domain is not available";
}

function inputOf(root: Document, id: string | undefined): HTMLInputElement | null {
  const found = root.getElementById(id ?? "");
  return found instanceof HTMLInputElement ? found : null;
}
