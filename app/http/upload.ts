/** Reads a form with a file in it, up to a limit: the one kind of post that is not a plain form (docs/decisions/security.md). */
import { unstable_parseMultipartFormData as parseMultipartFormData } from "@remix-run/node";
import { DomainError } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { maxBodyBytes, readForm } from "./body.ts";

export interface Upload {
  /** The field that holds the file. */
  field: string;
  /** Of the whole post. */
  mostBytes: number;
}

export interface UploadedFile {
  /** As its sender calls it, without folders; at most 200 characters. */
  name: string;
  /**
   * Its text, in pieces; may be read again.
   * @throws DomainError bad_request for what is no text in UTF-8
   */
  pieces(): AsyncIterable<string>;
}

const mostFields = 50;
const longestName = 200;

/**
 * @returns the fields, and the file; null when none was chosen
 * @throws DomainError too_large; bad_request for a malformed post; unsupported_media_type
 */
export async function readUpload(
  request: Request,
  { field, mostBytes }: Upload,
): Promise<{ form: URLSearchParams; file: UploadedFile | null }> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("multipart/form-data")) return { form: await readForm(request), file: null };
  if (Number(request.headers.get("content-length") ?? "0") > mostBytes) throw tooLarge(mostBytes);
  const form = new URLSearchParams();
  let file: UploadedFile | null = null;
  let parts = 0;
  let textBytes = 0;
  const limited = new Request(request.url, {
    method: "POST",
    headers: { "Content-Type": type },
    body: request.body?.pipeThrough(atMost(mostBytes)) ?? null,
    // Of fetch, for a body that is a stream; the types do not know it.
    ...{ duplex: "half" },
  });
  try {
    await parseMultipartFormData(limited, async ({ name, filename, data }) => {
      parts += 1;
      if (parts > mostFields) throw unusual();
      const chunks: Uint8Array[] = [];
      for await (const chunk of data) {
        if (name !== field) textBytes += chunk.byteLength;
        if (textBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
        chunks.push(chunk);
      }
      if (name !== field) form.append(name, Buffer.concat(chunks).toString("utf8"));
      // A field in which nothing was chosen is sent without a name.
      else if (filename !== undefined && filename !== "") file = fileOf(filename, chunks, field);
      return undefined;
    });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw unusual(error);
  }
  return { form, file };
}

function fileOf(filename: string, chunks: readonly Uint8Array[], field: string): UploadedFile {
  const name = filename.replaceAll(/[\p{Cc}\p{Cs}]/gu, "").slice(0, longestName);
  return { name: name === "" ? "a file" : name, pieces: () => textOf(chunks, field) };
}

async function* textOf(chunks: readonly Uint8Array[], field: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (const chunk of chunks) {
    const text = decoded(field, () => decoder.decode(chunk, { stream: true }));
    // No text has it, and the database stores none.
    if (text.includes("\0")) throw noText(field);
    yield text;
  }
  yield decoded(field, () => decoder.decode());
}

function decoded(field: string, decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    throw noText(field, error);
  }
}

function noText(field: string, cause?: unknown): DomainError {
  const message =
    "The file is no text in UTF-8. Save a spreadsheet as CSV (UTF-8), and unpack a file that was downloaded as a zip.";
  return new DomainError("bad_request", message, { fields: { [field]: message }, cause });
}

function atMost(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > mostBytes) controller.error(tooLarge(mostBytes));
      else controller.enqueue(chunk);
    },
  });
}

function tooLarge(mostBytes: number): DomainError {
  const most = mostBytes < 1024 * 1024 ? `${mostBytes / 1024} KB` : `${mostBytes / 1024 / 1024} MB`;
  return new DomainError("too_large", `What was sent is too large: ${most} at most.`);
}

function unusual(cause?: unknown): DomainError {
  return new DomainError("bad_request", told("errors.unusualForm"), { cause });
}
