/** Text that a call carries as base64 of its UTF-8. It hides nothing: the transport must be encrypted. */
import { z } from "zod";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes, then demands of the text what its field in a form demands. */
export function encoded<Schema extends z.ZodType<string, string>>(text: Schema) {
  return z
    .string()
    .transform((encodedText, context) => {
      try {
        if (/^[A-Za-z0-9+/]*={0,2}$/.test(encodedText))
          return utf8.decode(Buffer.from(encodedText, "base64"));
      } catch {
        // Not UTF-8: said below, as of anything else that is not base64 of it.
      }
      context.addIssue({ code: "custom", message: "Must be base64 of UTF-8 text." });
      return z.NEVER;
    })
    .pipe(text);
}
