/** Months in Desk URLs. */

/** Whether a text is a month of this century, "2026-11". */
export function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}
