/**
 * Placeholders: what people type where a form asks for something that they do not have, a last name or a second line of an address
 * (docs/decisions/placeholders.md). No document, email or vendor gets one.
 */

/** Signs only, or one of the words for nothing. Names such as "Na", "K." and "O" are names. */
const placeholder =
  /^(?:[^\p{L}\p{N}]+|(?:NA|na|N\/[Aa]|n\/a|N\.A\.?|n\.a\.?|N A|[Nn]one|NONE|[Nn]il|NIL)[.-]*)$/u;

/** Whether a text that was given says nothing; false for an empty one. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text.trim());
}

/** Returns the text, empty in place of a placeholder. */
export function withoutPlaceholder(text: string): string {
  return isPlaceholder(text) ? "" : text;
}

interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** Returns the name as it is written, of one word for a person with one name. */
export function fullName({ firstName, lastName }: PersonName): string {
  return `${firstName} ${withoutPlaceholder(lastName)}`.trim();
}

/** Returns the last name for a vendor, which demands one: of a person with one name, that name. */
export function vendorLastName({ firstName, lastName }: PersonName): string {
  return withoutPlaceholder(lastName) || firstName;
}

/** Returns the last name as a form shows it, which asks for one: a dash for a person with one name. */
export function typedLastName({ firstName, lastName }: PersonName): string {
  return lastName === "" && firstName !== "" ? "-" : lastName;
}
