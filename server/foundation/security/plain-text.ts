/** Removes links, email addresses and telephone numbers from a user's text to a person outside the company. */

/** Invisible characters. Joiners stay after a combining mark, where Indian scripts need them. */
const invisible = /(?<!\p{M})[\u200C\u200D]|(?![\u200C\u200D])\p{Cf}/gu;
/** "evil[.]example" and "name (at) evil", which readers know how to restore. */
const hiddenDot = /\s{0,3}[[({<]\s{0,3}(?:\.|dot)\s{0,3}[\])}>]\s{0,3}/giu;
const hiddenAt = /\s{0,3}[[({<]\s{0,3}at\s{0,3}[\])}>]\s{0,3}/giu;
/** Part of a word that a mail program or a reader takes for a link or an address. */
const link = /:\/\/|hxxp|https?:|mailto:|tel:|www|@|[.\u3002][\p{L}\p{M}]{2}|\p{N}\.\p{N}+\.\p{N}+\.\p{N}/iu;
/** Seven or more digits close together, in any script. */
const telephone = /[+(]{0,2}\p{N}(?:[^\p{L}\p{N}\n]{0,3}\p{N}){6,}/gu;

export const removed = "[…]";

/** @returns the text in its compatibility form (NFKC), with `[…]` in place of each link, address and number */
export function withoutContacts(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(invisible, "")
    .replaceAll(hiddenDot, ".")
    .replaceAll(hiddenAt, "@")
    .replaceAll(/\S+/g, (word) => (link.test(word) ? removed : word))
    .replaceAll(telephone, removed);
}
