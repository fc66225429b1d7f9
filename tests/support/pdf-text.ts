/** What a reader can select in a PDF. */
import { extractText, getDocumentProxy } from "unpdf";

/** @returns a text for each page, spaces and line breaks as one space */
export async function pdfPages(file: Uint8Array): Promise<string[]> {
  // A copy: the reader takes its bytes over.
  const { text } = await extractText(await getDocumentProxy(file.slice()));
  return text.map((page) => page.replaceAll(/\s+/g, " ").trim());
}
