/**
 * Formats names and addresses for the invoice registration portal: neither too short nor too long, without double quotes and
 * backslashes (docs/providers.md, section 4). Forms ask for longer ones, and no document waits for one.
 */
const limits = {
  name: { least: 3, most: 100 },
  street: { least: 1, most: 100 },
  locality: { least: 3, most: 50 },
  description: { least: 3, most: 300 },
} as const;

export type PortalText = keyof typeof limits;

/** Replaces the characters that the portal's form excludes with ones that read the same. */
const cleaned = (text: string) => text.replaceAll('"', "'").replaceAll("\\", "/").trim();

/** Returns the minimum length that the portal accepts. */
export function leastLength(kind: PortalText): number {
  return limits[kind].least;
}

export function isTooShort(kind: PortalText, text: string): boolean {
  return [...cleaned(text)].length < limits[kind].least;
}

/**
 * Returns a text that the portal accepts.
 * @param completed replaces a text that is too short
 */
export function portalText(kind: PortalText, text: string, completed: string): string {
  const { least, most } = limits[kind];
  const long = cleaned(isTooShort(kind, text) ? completed : text);
  // A cut must not leave half of a character.
  const cut = long
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
  return cut + ".".repeat(Math.max(0, least - [...cut].length));
}
