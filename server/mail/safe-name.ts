/**
 * Filters names typed by strangers in mails to people who did not request them. Such a mail has the store as its sender, so a
 * "company" called "Pay at evil.example" would be phishing under our letterhead, with a link that the mail program adds itself.
 */

const maxCharacters = 60;
const maxWords = 8;
/**
 * Letters of any script, digits, and the punctuation of real names: "A.B. & Co.", "M/s Rao (India)", "O’Neill,
 * Smith-Jones + Sons".
 */
const plain = /^[\p{L}\p{M}\p{N} &.,'’()+/-]+$/u;
/** A dot followed by two letters may be a domain, which mail programs turn into a link. */
const likeAnAddress = /www|https?|\.[\p{L}\p{M}\p{N}]{2}/iu;
/** Seven digits or more, as in a telephone number; names have fewer. */
const likeANumber = /(?:\p{N}[ ()./+-]*){7}/u;

/** @returns the name with normalised spaces, or null when it is unsafe in such a mail and needs a replacement */
export function safeName(name: string): string | null {
  const text = name.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  const isPlain =
    text.length <= maxCharacters &&
    text.split(" ").length <= maxWords &&
    plain.test(text) &&
    !likeAnAddress.test(text) &&
    !likeANumber.test(text);
  return isPlain ? text : null;
}
