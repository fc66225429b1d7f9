/** What no text in a request may hold, since no database column can: NUL, and halves of characters. */
import { DomainError } from "#server/errors.ts";

const unstorable = /[\0\p{Cs}]/u;

/** @throws DomainError bad_request with the path of the text, wherever in the value it stands */
export function requireCleanText(value: unknown): void {
  // Not recursive: 64 KiB of brackets would be deeper than the stack.
  const left: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value: part } = next;
    if (typeof part === "string" && unstorable.test(part)) refuse(path);
    if (typeof part !== "object" || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      if (unstorable.test(name)) refuse(path);
      left.push({ path: path === "" ? name : `${path}.${name}`, value: inner });
    }
  }
}

function refuse(path: string): never {
  const message = "This text has characters that cannot be kept.";
  throw new DomainError("bad_request", "The request is not well formed.", { fields: { [path]: message } });
}
