/** Digits as keyboards write them. The one conversion for forms, the page's script and what is asked in an address. */

/** The text with Devanagari (०-९) and full-width (０-９) digits as 0-9. Everything else stays as it is. */
export function plainDigits(text: string): string {
  // The code of either zero ends in 6.
  return text.replace(/[\u0966-\u096f\uff10-\uff19]/g, (digit) => String((digit.charCodeAt(0) - 6) % 10));
}

/** The text in plain digits, without what groups characters on paper: blanks, dots, dashes, and characters that nobody sees. */
export function ungrouped(text: string): string {
  return plainDigits(text).replace(/[\s.\p{Pd}\u2212\p{Cf}]/gu, "");
}
