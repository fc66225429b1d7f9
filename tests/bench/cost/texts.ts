/** Hostile texts of any length, which are known to be slow in parsers, regular expressions and Unicode tables. */

/** @param bytes approximate size in UTF-8 */
type Text = (bytes: number) => string;

const times =
  (unit: string, end = ""): Text =>
  (bytes) =>
    unit.repeat(Math.max(1, Math.floor((bytes - end.length) / Buffer.byteLength(unit)))) + end;

export const texts: Readonly<Record<string, Text>> = {
  letters: times("a"),
  "letters, then not": times("a", "!"),
  blanks: times(" ", "x"),
  tabs: times("\t", "x"),
  "words and blanks": times("a "),
  slashes: times("/"),
  segments: times("/a"),
  dots: times("../"),
  domain: times("a."),
  email: (bytes) => `a@${times("a.")(bytes)}b`,
  "at signs": times("@"),
  hyphens: times("a-"),
  zeros: times("0"),
  nines: times("9"),
  "Hindi digits": times("९"),
  exponent: (bytes) => `1e${times("9")(bytes)}`,
  date: (bytes) => `2026-01-01T${times("0")(bytes)}`,
  commas: times("a,"),
  semicolons: times("a=b;"),
  quotes: times('"'),
  tags: times("<a>"),
  comments: times("<!--"),
  brackets: times("("),
  "square brackets": times("[0]"),
  braces: times("{"),
  percents: times("%"),
  escapes: times("%41"),
  stars: times("a*"),
  backslashes: times("\\"),
  base64: times("QUJD"),
  accents: times("e\u0301"),
  marks: times("\u0301"),
  emoji: times("👩‍👩‍👧"),
  "long ligatures": times("ﷺ"),
  "dotted capitals": times("İ"),
  "right to left": times("\u202eא"),
  invisible: times("\u200b"),
  controls: times("\u0001"),
  "other blanks": times("\u00a0\u2003", "x"),
  "line ends": times("\r\n"),
  phone: times("+9 "),
  links: times("http://a.b "),
  languages: (bytes) => Array.from({ length: bytes / 12 }, (_, n) => `x${n}-a;q=0.${n % 10}`).join(","),
  ranges: (bytes) => `bytes=${Array.from({ length: bytes / 8 }, (_, n) => `${n}-${n}`).join(",")}`,
  etags: times('W/"abc", '),
  "user agent": times("Mozilla/5.0 (X11; "),
  addresses: times("1.2.3.4, "),
  "JSON lists": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "JSON objects": (bytes) => `${times('{"a":')(bytes - bytes / 6)}1${"}".repeat(bytes / 6)}`,
};

export const textNames = Object.keys(texts);

/** @throws Error for an unknown name */
export function textOf(name: string, bytes: number): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`Expected the name of a hostile text, got "${name}"`);
  return text(bytes);
}
