/**
 * The symbols of an SVG file (public/icons.svg, public/tiles.svg) as markup strings: a page has up to a hundred of them, which
 * React need not build.
 */

export interface SvgSymbol {
  viewBox: string;
  /** Markup inside the symbol, for a document that inlines it. */
  inside: string;
  /** Reference to the file, for any other document. */
  reference: string;
}

/** @param file content, with one symbol per line @param address URL of the file */
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
