/** Converts digits of other keyboards to ASCII, for forms, the page's script and addresses' queries. */

/** Converts Devanagari (०-९) and full-width (０-９) digits to 0-9. Leaves all other characters unchanged. */
export function plainDigits(text: string): string {
  // The code of both zeros ends in 6.
  return text.replace(/[\u0966-\u096f\uff10-\uff19]/g, (digit) => String((digit.charCodeAt(0) - 6) % 10));
}

/** Converts to plain digits, and removes grouping characters: spaces, dots, dashes, and invisible characters. */
export function ungrouped(text: string): string {
  return plainDigits(text).replace(/[\s.\p{Pd}\u2212\p{Cf}]/gu, "");
}
