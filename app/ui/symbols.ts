/** What is inside of each symbol of a file of drawings (public/icons.svg, public/tiles.svg), for documents that draw it themselves. */

/** @param file with a symbol a line. Those of another size than most are left to their file. */
export function symbolsIn(file: string): ReadonlyMap<string, string> {
  const found = file.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24">(.*)<\/symbol>/g);
  return new Map([...found].map(([, id = "", inside = ""]) => [id, inside]));
}
