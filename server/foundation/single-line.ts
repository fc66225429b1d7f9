/**
 * Folds text to one line in one spelling: spaces, tabs, line breaks and invisible characters become one space, and a letter with
 * its marks is written in one way (Unicode NFC), so that texts that look alike are equal, and none breaks a header, a file or a
 * calendar. Joiners stay where a script needs them (docs/decisions/orders.md#text-normalisation).
 */

/** Scripts whose letters join or separate by a zero-width (non-)joiner. */
const joining = [
  "Arabic",
  "Bengali",
  "Devanagari",
  "Gujarati",
  "Gurmukhi",
  "Kannada",
  "Malayalam",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
];
const letter = `(?=[\\p{L}\\p{M}])[${joining.map((script) => `\\p{Script=${script}}`).join("")}]`;
/** Sign that removes a consonant's vowel, in each of these scripts. */
const virama = "[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]";
/** The only invisible characters with a meaning: joiners in a word, and the style of an emoji. */
const kept = [
  `(?<=${virama})\\u200D`,
  `(?<=${letter})[\\u200C\\u200D](?=${letter})`,
  "(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]",
].join("|");
/** Every kind of space and line break, Unicode's ignorable characters, and the empty cell of braille. */
const unseen = "[\\s\\p{Z}\\p{Default_Ignorable_Code_Point}\\x85\\u2800\\uFFF9-\\uFFFB]";

/** Joiners after a joiner have no effect, and a word must not be cut there. */
const repeated = /([\u200C\u200D])[\u200C\u200D]+/gu;
const foldable = new RegExp(`(?:(?!${kept})${unseen})+`, "gu");
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const control = /\p{Cc}/gu;
/** Most texts contain nothing foldable. */
const plain = /^[!-~]*(?: [!-~]+)*$/;

/** Returns text on one line, trimmed, in NFC, with one space between words. Controls other than tabs and line breaks stay. */
export function singleLine(text: string): string {
  if (plain.test(text) && !text.startsWith(" ")) return text;
  return text.normalize("NFC").replaceAll(repeated, "$1").replaceAll(foldable, " ").trim().normalize("NFC");
}

/** Returns text on one line for a header, a file or a calendar, without any control character. */
export function headerLine(text: string): string {
  return singleLine(text.replaceAll(control, " "));
}

/** Returns text of several lines: each as `headerLine`, with `\n` between them, and without empty ones at the ends. */
export function severalLines(text: string): string {
  return text.split(lineBreak).map(headerLine).join("\n").trim();
}

/** Whether text has a control character. */
export function hasControls(text: string): boolean {
  return text.search(control) !== -1;
}
