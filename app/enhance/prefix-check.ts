/**
 * Microsoft Sign-In: previews the username and asks the server whether the domain is free, half a second after the last key.
 * The server checks again on submit.
 */

import * as paths from "#server/foundation/paths.ts";
import { prefixPattern } from "../forms/prefix-pattern.ts";
import { fetchJson } from "./fetch-json.ts";
import { PendingCheck } from "./pending-check.ts";

const debounceMs = 500;

export function prefixCheck(root: Document): void {
  const previewing = new PendingCheck();
  const check = new PendingCheck();
  root.addEventListener("input", ({ target }) => {
    const fields = fieldsIn(root);
    if (fields === null || (target !== fields.prefix && target !== fields.username)) return;
    previewing.begin(debounceMs, async () => preview(fields));
    // The verdict on the domain still holds when only the username changes.
    if (target !== fields.prefix) return;
    say(fields, "");
    check.begin(debounceMs, async (isCurrent) => {
      const prefix = prefixIn(fields);
      if (prefix === "") return;
      const said = prefixPattern.test(prefix) ? await verdictOn(prefix, fields) : fields.words.rule;
      if (isCurrent()) say(fields, said);
    });
  });
  root.addEventListener("submit", () => {
    const fields = fieldsIn(root);
    if (fields === null) return;
    check.forget();
    preview(fields);
    say(fields, "");
  });
}

interface Fields {
  username: HTMLInputElement;
  prefix: HTMLInputElement;
  preview: Element;
  verdict: Element;
  words: DOMStringMap;
}

function fieldsIn(root: Document): Fields | null {
  const note = root.querySelector<HTMLElement>("[data-prefix-check]");
  const username = inputOf(root, note?.dataset.username);
  const prefix = inputOf(root, note?.dataset.prefixCheck);
  const preview = root.querySelector("[data-preview]");
  const verdict = root.querySelector("[data-verdict]");
  if (note === null || username === null || prefix === null || preview === null || verdict === null)
    return null;
  return { username, prefix, preview, verdict, words: note.dataset };
}

function prefixIn({ prefix }: Fields): string {
  return prefix.value.trim().toLowerCase();
}

function preview(fields: Fields): void {
  const { username, preview } = fields;
  preview.textContent = `${username.value.trim()}@${prefixIn(fields)}.onmicrosoft.com`;
}

/** Shows the verdict, styled as an error, or neutrally when it is not one. */
function say({ verdict, words }: Fields, text = ""): void {
  verdict.textContent = text;
  verdict.classList.toggle("error", text !== "" && text !== words.available);
}

async function verdictOn(prefix: string, { words }: Fields): Promise<string | undefined> {
  const { body } = await fetchJson(paths.microsoftDomain(prefix));
  if (body.valid === undefined) return words.unknown;
  return body.valid === true ? words.available : words.taken;
}

function inputOf(root: Document, id: string | undefined): HTMLInputElement | null {
  const found = root.getElementById(id ?? "");
  return found instanceof HTMLInputElement ? found : null;
}
