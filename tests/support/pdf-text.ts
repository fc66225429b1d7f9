/** What a reader can select in a PDF. */
import { inflateSync } from "node:zlib";
import { extractText, getDocumentProxy } from "unpdf";

/** @returns a text for each page, spaces and line breaks as one space */
export async function pdfPages(file: Uint8Array): Promise<string[]> {
  // A copy: the reader takes its bytes over.
  const { text } = await extractText(await getDocumentProxy(file.slice()));
  return text.map((page) => page.replaceAll(/\s+/g, " ").trim());
}

/** What the file says its letters stand for, where they cannot be read from the letters themselves. */
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
