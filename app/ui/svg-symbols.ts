/**
 * The symbols of a file of drawings (public/icons.svg, public/tiles.svg) as markup: a page has up to a hundred of them, which React need
 * not put together.
 */

export interface SvgSymbol {
  viewBox: string;
  /** What is inside of the symbol, for a document that draws it itself. */
  inside: string;
  /** For any other. */
  reference: string;
}

/** @param file with a symbol a line. @param address of the file */
export function parseSvgSymbols(file: string, address: string): ReadonlyMap<string, SvgSymbol> {
  const symbols = file.matchAll(/<symbol id="([^"]+)" viewBox="([^"]+)"([^>]*)>(.*)<\/symbol>/g);
  return new Map(
    [...symbols].map(([, id = "", viewBox = "", look = "", inside = ""]) => [
      id,
      {
        viewBox,
        inside: look === "" ? inside : `<g${look}>${inside}</g>`,
        reference: `<use href="${address}#${id}"></use>`,
      },
    ]),
  );
}
