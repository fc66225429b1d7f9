/** Selectable text of a PDF. */
import { inflateSync } from "node:zlib";
import { extractText, getDocumentProxy } from "unpdf";

/** @returns the text of each page, with whitespace collapsed */
export async function pdfPages(file: Uint8Array): Promise<string[]> {
  // A copy, because the reader takes ownership of its bytes.
  const { text } = await extractText(await getDocumentProxy(file.slice()));
  return text.map((page) => page.replaceAll(/\s+/g, " ").trim());
}

/** Text that the file declares for glyphs that cannot be mapped to characters. */
export function embeddedText(file: Uint8Array): string[] {
  const whole = Buffer.from(file).toString("latin1");
  return [...whole.matchAll(/stream\n(.*?)\nendstream/gs)].flatMap(([, packed = ""]) => {
    const stream = Buffer.from(packed, "latin1");
    // A zlib stream begins with these bits.
    const content = (stream[0] ?? 0) % 16 === 8 ? inflateSync(stream).toString("latin1") : "";
    return [...content.matchAll(/\/ActualText <feff([0-9a-f]*)>/g)].map(([, utf16 = ""]) =>
      Buffer.from(utf16, "hex").swap16().toString("utf16le"),
    );
  });
}
