/**
 * HTTP helpers shared by every vendor's handlers: paths, bodies, identifiers. Paths begin with `*` so that one handler answers
 * both over HTTP (`http://localhost:3100/razorpay/...`) and in-process under any base URL that a test chooses.
 */
import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { z } from "zod";

export const jsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObject>;

/** The pattern of a path under any origin. */
export function anyOrigin(path: string): string {
  return `*${path}`;
}

/** The JSON of a body; undefined when it is empty, for calls such as a checkout which carry none. @throws SyntaxError */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  return text.trim() === "" ? undefined : JSON.parse(text);
}

/** The text fields of a posted form; files are ignored, because these providers take none. */
export async function readForm(request: Request): Promise<Map<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return new Map();
  const fields = new Map<string, string>();
  for (const [name, value] of await request.formData())
    if (typeof value === "string") fields.set(name, value);
  return fields;
}

/** The origin that the caller used, so that links lead back to an address that the caller can reach. */
export function originOf(request: Request): string {
  return new URL(request.url).origin;
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** An id in Razorpay's format: `pay_` and 14 letters or digits. */
export function shortId(prefix: string): string {
  return prefix + Array.from({ length: 14 }, () => letters[randomInt(letters.length)]).join("");
}

export function guid(): string {
  return randomUUID();
}

/** Always the same GUID for the same text: a tenant keeps its id when the sandbox is wiped. */
export function guidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** A password that satisfies Microsoft's rules: at least three kinds of characters. */
export function generatedPassword(): string {
  return `Sb!${randomBytes(9).toString("base64url")}7a`;
}

export function isGuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
