/** What is inside of each symbol of a file of drawings (public/icons.svg, public/tiles.svg), for documents that draw it themselves. */

export interface Drawing {
  viewBox: string;
  /** Markup. */
  inside: string;
}

/** @param file with a symbol a line */
export function drawingsIn(file: string): ReadonlyMap<string, Drawing> {
  const symbols = file.matchAll(/<symbol id="([^"]+)" viewBox="([^"]+)"([^>]*)>(.*)<\/symbol>/g);
  return new Map(
    [...symbols].map(([, id = "", viewBox = "", look = "", inside = ""]) => [
      id,
      { viewBox, inside: look === "" ? inside : `<g${look}>${inside}</g>` },
    ]),
  );
}
