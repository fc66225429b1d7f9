/** Formats an order's timeline for the pages of a paid order. */
import type { Order } from "#db/orders/order.ts";
import { creditNotesOf, type ListedCreditNote } from "#server/billing/documents/credit-note.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { formatTime } from "#server/orders/subscriptions/dates.ts";
import { timelineOf } from "#server/orders/timeline.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { StepListState } from "../ui/step-list.tsx";

export interface Timeline {
  label: string;
  steps: { title: string; state: StepListState; stateWord?: string; when: string | null }[];
}

interface Telling {
  /** False while an order waits for a person: then it does not continue automatically. */
  isUnderWay: boolean;
  /** The order's credit notes, if the caller reads them anyway. */
  notes?: Promise<ListedCreditNote[]>;
}

export async function timelineIn(
  { context, text, language }: Pick<RequestContext, "context" | "text" | "language">,
  order: Order,
  { isUnderWay, notes = creditNotesOf(context.db, [order.id]) }: Telling,
): Promise<Timeline> {
  const [events, issued] = await Promise.all([timelineOf(context.db, order), notes]);
  const next = events.findIndex(({ at }) => at === null);
  const happened = { state: "done" as const, stateWord: text("timeline.done") };
  const steps = events.map(({ what, at }, index) => {
    if (at !== null)
      return {
        title: text(`timeline.${what}`),
        ...happened,
        when: formatTime(at, order.country, language),
      };
    return index === next && isUnderWay
      ? {
          title: text(`timeline.${what}Now`),
          state: "now" as const,
          stateWord: text("timeline.now"),
          when: null,
        }
      : { title: text(`timeline.${what}Next`), state: "upcoming" as const, when: null };
  });
  const credited = (events.length === 0 ? [] : issued).map(({ number, amount, isCorrection, issuedAt }) => ({
    title: isCorrection
      ? text("corrections.happened", { number })
      : text("timeline.credited", { amount: formatMoney(amount), number }),
    ...happened,
    when: formatTime(issuedAt, order.country, language),
  }));
  // Inserted before the coming steps.
  const ahead = next === -1 ? steps.length : next;
  return {
    label: text("timeline.label"),
    steps: [...steps.slice(0, ahead), ...credited, ...steps.slice(ahead)],
  };
}
