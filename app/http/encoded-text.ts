/** Text that a call transmits as base64-encoded UTF-8. This is not protection: the transport must be encrypted. */
import { z } from "zod";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes the text, then validates it with the schema of its form field. */
export function encoded<Schema extends z.ZodType<string, string>>(text: Schema) {
  return z
    .string()
    .transform((encodedText, context) => {
      try {
        if (/^[A-Za-z0-9+/]*={0,2}$/.test(encodedText))
          return utf8.decode(Buffer.from(encodedText, "base64"));
      } catch {
        // Invalid UTF-8 gets the same issue as invalid base64, below.
      }
      context.addIssue({ code: "custom", message: "Must be base64 of UTF-8 text." });
      return z.NEVER;
    })
    .pipe(text);
}
