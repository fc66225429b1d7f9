/** Names of browsers and systems, parsed from the User-Agent. */
import Bowser from "bowser";

/** Browser and operating system by their product names, the same in every language. Null for unknown ones. */
export interface Device {
  browser: string | null;
  system: string | null;
}

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/** Returns names from a fixed list only, because anyone can send any User-Agent. */
export function readDevice(client: string): Device {
  // The library does not parse an empty text.
  if (client === "") return { browser: null, system: null };
  const { browser, os } = Bowser.parse(client);
  const known = (names: Set<string>, name: string | undefined) =>
    name !== undefined && names.has(name) ? name : null;
  return { browser: known(browsers, browser.name), system: known(systems, os.name) };
}
