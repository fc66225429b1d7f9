/** Reads a form with a file in it, up to a limit: the one kind of post that is not a plain form (docs/decisions/security.md#every-route). */
import { unstable_parseMultipartFormData as parseMultipartFormData } from "@remix-run/node";
import { DomainError } from "#server/foundation/errors.ts";
import { FileError, fileText } from "#server/foundation/file-text.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { headerLine } from "#server/foundation/single-line.ts";
import { maxBodyBytes, readForm } from "./body.ts";

export interface Upload {
  /** The field that holds the file. */
  field: string;
  /** Limit of the whole post, in bytes. */
  maxBytes: number;
  /** Message for a larger post. */
  words: { tooLarge: string };
}

export interface UploadedFile {
  /** Name from the client, without folders; at most 200 characters. */
  name: string;
  /**
   * Decodes the text in pieces; may be called again.
   * @throws DomainError bad_request for a file that is not text
   */
  pieces(): AsyncIterable<string>;
}

const maxFields = 50;
const maxNameLength = 200;

/**
 * @returns the fields, and the file; null when none was chosen
 * @throws DomainError too_large; bad_request for a malformed post; unsupported_media_type
 */
export async function readUpload(
  request: Request,
  upload: Upload,
): Promise<{ form: URLSearchParams; file: UploadedFile | null }> {
  const { field, maxBytes } = upload;
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("multipart/form-data")) return { form: await readForm(request), file: null };
  if (Number(request.headers.get("content-length") ?? "0") > maxBytes) throw tooLarge(upload);
  const form = new URLSearchParams();
  let file: UploadedFile | null = null;
  let parts = 0;
  let textBytes = 0;
  const limited = new Request(request.url, {
    method: "POST",
    headers: { "Content-Type": type },
    body: request.body?.pipeThrough(atMost(upload)) ?? null,
    // A fetch option for a stream as the body, which the types lack.
    ...{ duplex: "half" },
  });
  try {
    await parseMultipartFormData(limited, async ({ name, filename, data }) => {
      parts += 1;
      if (parts > maxFields) throw unusual();
      const chunks: Uint8Array[] = [];
      for await (const chunk of data) {
        if (name !== field) textBytes += chunk.byteLength;
        if (textBytes > maxBodyBytes) throw tooLarge(upload);
        chunks.push(chunk);
      }
      if (name !== field) form.append(name, Buffer.concat(chunks).toString("utf8"));
      // A file input without a chosen file is sent with an empty name.
      else if (filename !== undefined && filename !== "") file = fileOf(filename, chunks, upload);
      return undefined;
    });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw unusual(error);
  }
  return { form, file };
}

function fileOf(filename: string, chunks: readonly Uint8Array[], upload: Upload): UploadedFile {
  const name = headerLine(filename.replaceAll(/\p{Cs}/gu, "")).slice(0, maxNameLength);
  return { name: name === "" ? "a file" : name, pieces: () => textOf(chunks, upload) };
}

async function* textOf(chunks: readonly Uint8Array[], { field }: Upload): AsyncGenerator<string> {
  async function* bytes() {
    yield* chunks;
  }
  try {
    yield* fileText(bytes());
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new DomainError("bad_request", error.message, { fields: { [field]: error.message }, cause: error });
  }
}

function atMost(upload: Upload): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > upload.maxBytes) controller.error(tooLarge(upload));
      else controller.enqueue(chunk);
    },
  });
}

function tooLarge({ field, words }: Upload): DomainError {
  return new DomainError("too_large", words.tooLarge, { fields: { [field]: words.tooLarge } });
}

function unusual(cause?: unknown): DomainError {
  return new DomainError("bad_request", msg("errors.unusualForm"), { cause });
}
