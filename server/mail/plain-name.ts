/**
 * Names that strangers have typed, in mails to people who did not ask for them. Such a mail goes out in the store's own name, so a
 * "company" called "Pay at evil.example" would be phishing under our letterhead, with a link that the mail program makes by itself.
 */

const maxCharacters = 60;
const maxWords = 8;
/** Letters of any script, digits, and what real names hold: "A.B. & Co.", "M/s Rao (India)", "O’Neill, Smith-Jones + Sons". */
const plain = /^[\p{L}\p{M}\p{N} &.,'’()+/-]+$/u;
/** A dot with two letters right behind it may be the end of a domain, whose name mail programs turn into a link. */
const likeAnAddress = /www|https?|\.[\p{L}\p{M}\p{N}]{2}/iu;
/** More digits than a name has, and as many as a telephone number. */
const likeANumber = /(?:\p{N}[ ()./+-]*){7}/u;

/** @returns the name with its spaces put right, or null when it had better not stand in such a mail: say something else then */
export function plainName(name: string): string | null {
  const text = name.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  const isPlain =
    text.length <= maxCharacters &&
    text.split(" ").length <= maxWords &&
    plain.test(text) &&
    !likeAnAddress.test(text) &&
    !likeANumber.test(text);
  return isPlain ? text : null;
}
