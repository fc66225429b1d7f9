/** What a browser is, read from what it calls itself. */
import Bowser from "bowser";

/** A browser in words of its own, the same in every language. Null for what is not among those known. */
export interface Device {
  browser: string | null;
  system: string | null;
}

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/** Only names of a fixed list, because anybody can call their browser anything. */
export function readDevice(client: string): Device {
  // The library does not parse an empty text.
  if (client === "") return { browser: null, system: null };
  const { browser, os } = Bowser.parse(client);
  const known = (names: Set<string>, name: string | undefined) =>
    name !== undefined && names.has(name) ? name : null;
  return { browser: known(browsers, browser.name), system: known(systems, os.name) };
}
