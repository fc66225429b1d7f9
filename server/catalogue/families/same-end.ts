/** Whether an order still speaks of the term it was priced for, although its vendor has told the end more exactly meanwhile. */

/** More than a vendor's time zones and inclusive dates make, and far less than a term. */
const correctedByMs = 3 * 86_400_000;

/** @param reported an end as an order has stored it, in ISO 8601 */
export function isSameEnd(reported: string | undefined, end: Date): boolean {
  return reported !== undefined && Math.abs(Date.parse(reported) - end.getTime()) < correctedByMs;
}
