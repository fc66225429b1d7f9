/**
 * Placeholders that people enter when a form requires something that they do not have, such as a last name or a second address
 * line (docs/decisions/orders.md#placeholders). No document, email or vendor gets one.
 */

/** Only punctuation, or one of the words for nothing. Names such as "Na", "K." and "O" are names. */
const placeholder =
  /^(?:[^\p{L}\p{N}]+|(?:NA|na|N\/[Aa]|n\/a|N\.A\.?|n\.a\.?|N A|[Nn]one|NONE|[Nn]il|NIL)[.-]*)$/u;

/** Whether a text is a placeholder; false for an empty one. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text.trim());
}

/** Returns the text, or "" for a placeholder. */
export function withoutPlaceholder(text: string): string {
  return isPlaceholder(text) ? "" : text;
}

interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** Returns the full name, which is one word for a person with a single name. */
export function fullName({ firstName, lastName }: PersonName): string {
  return `${firstName} ${withoutPlaceholder(lastName)}`.trim();
}

/** Returns the last name for a vendor, which requires one: a person's single name, if they have only one. */
export function vendorLastName({ firstName, lastName }: PersonName): string {
  return withoutPlaceholder(lastName) || firstName;
}

/** Returns the last name for a form that requires one: a dash for a person with a single name. */
export function typedLastName({ firstName, lastName }: PersonName): string {
  return lastName === "" && firstName !== "" ? "-" : lastName;
}
