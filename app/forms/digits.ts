/** Digits as keyboards write them. The one conversion for forms, the page's script and what is asked in an address. */

/** The text with Devanagari (०-९) and full-width (０-９) digits as 0-9. Everything else stays as it is. */
export function plainDigits(text: string): string {
  // The code of either zero ends in 6.
  return text.replace(/[\u0966-\u096f\uff10-\uff19]/g, (digit) => String((digit.charCodeAt(0) - 6) % 10));
}
