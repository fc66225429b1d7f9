/** Reads request bodies up to a limit, so that no route can be made to buffer too much memory. */
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

/** More than any form or call of ours needs (docs/decisions/security.md#every-route). */
export const maxBodyBytes = 64 * 1024;

/** An oversized body is drained up to this size: a client that is cut off while sending never sees the answer. */
const maxDrainedBytes = 1024 * 1024;

/** @throws DomainError too_large beyond 64 KiB, regardless of Content-Length */
export async function readBody(request: Request): Promise<Buffer> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > maxBodyBytes) throw tooLarge();
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxDrainedBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    if (size <= maxBodyBytes) chunks.push(part.value);
  }
  if (size > maxBodyBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

/** @throws DomainError unsupported_media_type for anything but a plain form post. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) {
    throw new DomainError("unsupported_media_type", msg("errors.unusualForm"));
  }
  return new URLSearchParams((await readBody(request)).toString("utf8"));
}

/**
 * @returns the raw text and its parsed value
 * @throws DomainError unsupported_media_type for anything but JSON: another site's page can post the other types without a
 *   preflight
 * @throws DomainError bad_request for malformed JSON
 */
export async function readJson(request: Request): Promise<{ text: string; value: unknown }> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json(;|$)/i.test(type.trim())) {
    throw new DomainError("unsupported_media_type", "Send the request body as JSON.");
  }
  try {
    const text = (await readBody(request)).toString("utf8");
    return { text, value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new DomainError("bad_request", "The request body isn't valid JSON.");
    throw error;
  }
}

function tooLarge(): DomainError {
  return new DomainError("too_large", msg("errors.tooLarge"));
}
