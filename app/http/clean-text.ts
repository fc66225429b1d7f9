/** Characters that no text in a request may contain, because the database cannot store them: NUL and lone surrogates. */
import { DomainError } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";

const unstorable = /[\0\p{Cs}]/gu;

/** The error at a field with such text. */
export const uncleanMessage = told("fields.unclean");

export function isClean(text: string): boolean {
  return text.search(unstorable) === -1;
}

/** The text without its unstorable characters. */
export function clean(text: string): string {
  return text.replaceAll(unstorable, "");
}

/** @throws DomainError bad_request with the path of the offending text, at any depth */
export function requireCleanText(value: unknown): void {
  // Iterative, because 64 KiB of nested brackets would overflow the stack.
  const left: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value: part } = next;
    if (typeof part === "string" && !isClean(part)) refuse(path);
    if (typeof part !== "object" || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      if (!isClean(name)) refuse(path);
      left.push({ path: path === "" ? name : `${path}.${name}`, value: inner });
    }
  }
}

function refuse(path: string): never {
  throw new DomainError("bad_request", "The request is not well formed.", {
    fields: { [path]: uncleanMessage },
  });
}
