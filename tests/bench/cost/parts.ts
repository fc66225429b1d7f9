/** Parts of the bench's hostile requests. */
import type { Sent } from "./send.ts";
import { textOf } from "./texts.ts";

/** A request of any size, independent of its sender. */
export interface Made {
  /** Class of requests. */
  kind: string;
  /** Description of the hostile part and its place. */
  about: string;
  /** @param bytes size of the hostile part */
  make: (bytes: number) => Sent;
}

/** Selects one by the run's seed. */
export type Choose = <Value>(among: readonly Value[]) => Value;

export const madeOf =
  (kind: string, where: string) =>
  (what: string, make: Made["make"]): Made => ({ kind, about: `${where}${what}`, make });

export const get = (path: string, headers: Record<string, string> = {}): Sent => ({
  method: "GET",
  path,
  headers,
});

/** Encodes a text for a query, a cookie or a form. */
export const encoded = (text: string, bytes: number) =>
  encodeURIComponent(textOf(text, bytes)).slice(0, bytes);

/** Texts that a client which encodes its URLs would not send. */
const unencoded = ["percents", "backslashes"];

/** Encodes a text for a path, but keeps its separators. */
export function inPath(text: string, bytes: number): string {
  const hostile = textOf(text, bytes);
  return (unencoded.includes(text) ? hostile : encodeURI(hostile)).replaceAll(/[?#]/g, "-").slice(0, bytes);
}

/** Returns as many numbered units as fit. */
export function many(bytes: number, between: string, unit: (n: number) => string): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += between.length) {
    const part = unit(parts.length);
    parts.push(part);
    size += part.length;
  }
  return parts.join(between);
}
