/**
 * Cleans the texts of a request before any schema sees them: a field is one line unless it is named here. Refuses characters that no
 * text may contain.
 */
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hasControls, severalLines, singleLine } from "#server/foundation/single-line.ts";

/** The database cannot store NUL and lone surrogates. */
const unstorable = /[\0\p{Cs}]/gu;
const hasUnstorable = (text: string) => text.search(unstorable) !== -1;

/** The forms' fields with several lines: those of a TextAreaField. Line breaks stay in them. */
const withLines = /^(?:why|words|file|(?:audience|description|features)_[a-z]{2})$/;
/** Passwords, in which every character counts. */
const asTyped = /password/i;

/** The error at a field with such text. */
export const unstorableTextMessage = msg("fields.unclean");

/**
 * Cleans the text of a field: one line, or several where the field has them, in NFC; a password stays as typed.
 * @returns the text without characters that cannot be stored, and whether it must be refused for them or for control characters
 */
export function cleanField(name: string, given: string): { text: string; isRefused: boolean } {
  const isPassword = asTyped.test(name);
  const text = isPassword ? given : withLines.test(name) ? severalLines(given) : singleLine(given);
  const isRefused = hasUnstorable(text) || (!isPassword && !withLines.test(name) && hasControls(text));
  return { text: isRefused ? text.replaceAll(unstorable, "") : text, isRefused };
}

/**
 * Cleans every text of a call's input as `cleanField` does, in place and at any depth.
 * @throws DomainError bad_request with the path of a text that is refused
 */
export function cleanInput(input: unknown): void {
  // Iterative, because 64 KiB of nested brackets would overflow the stack.
  const left: { path: string; value: unknown }[] = [{ path: "", value: input }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value: part } = next;
    if (typeof part !== "object" || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (hasUnstorable(name)) refuse(path);
      const at = path === "" ? name : `${path}.${name}`;
      if (typeof value !== "string") {
        left.push({ path: at, value });
        continue;
      }
      const { text, isRefused } = cleanField(name, value);
      if (isRefused) refuse(at);
      if (text !== value) Reflect.set(part, name, text);
    }
  }
}

/**
 * Returns the URL with each query value on one line. Pages display and search such values. Remaining control characters are kept,
 * so that a call can refuse them.
 */
export function withCleanQuery(url: URL): URL {
  const given = [...url.searchParams];
  const cleaned = given.map(([name, value]) => [name, singleLine(value)]);
  if (cleaned.every(([, value], index) => value === given[index]?.[1])) return url;
  const mended = new URL(url);
  mended.search = new URLSearchParams(cleaned).toString();
  return mended;
}

function refuse(path: string): never {
  throw new DomainError("bad_request", "The request is malformed.", {
    fields: { [path]: unstorableTextMessage },
  });
}
