/** Whether an order still refers to the term it was priced for, although its vendor has since corrected the end. */

/** More than a vendor's time zones and inclusive dates can differ, and far less than a term. */
const correctedByMs = 3 * 86_400_000;

/** @param reported an end as an order has stored it, in ISO 8601 */
export function isSameEnd(reported: string | undefined, end: Date): boolean {
  return reported !== undefined && Math.abs(Date.parse(reported) - end.getTime()) < correctedByMs;
}
