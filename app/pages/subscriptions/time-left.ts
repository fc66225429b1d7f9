/** Short text for the remaining time of a subscription. */
import type { Translate } from "#server/foundation/languages/messages.ts";

/** Beyond this number of days, the text uses months. */
const maxDays = 60;
const daysOfMonth = 365 / 12;

/** "in 20 days", "in 7 months". @param days as `daysLeft` counts them */
export function timeLeft(days: number, text: Translate): string {
  return days <= maxDays
    ? text("subscriptions.inDays", { count: days })
    : text("subscriptions.inMonths", { count: Math.round(days / daysOfMonth) });
}
