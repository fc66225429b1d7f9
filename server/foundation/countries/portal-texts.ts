/**
 * Names and addresses as the invoice registration portal takes them: neither too short nor too long, without double quotes and
 * backslashes (docs/providers.md, section 4). Forms ask for longer ones; a document is never held up by one.
 */
const limits = {
  name: { least: 3, most: 100 },
  street: { least: 1, most: 100 },
  locality: { least: 3, most: 50 },
  description: { least: 3, most: 300 },
} as const;

export type PortalText = keyof typeof limits;

/** Characters that the portal's form excludes, and what reads the same. */
const cleaned = (text: string) => text.replaceAll('"', "'").replaceAll("\\", "/").trim();

/** The least number of characters that the portal takes. */
export function leastLength(kind: PortalText): number {
  return limits[kind].least;
}

export function isTooShort(kind: PortalText, text: string): boolean {
  return [...cleaned(text)].length < limits[kind].least;
}

/**
 * Returns a text that the portal takes.
 * @param completed in place of one that is too short
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
