/** Parts of an order's page that come from stored rows: its history and its quote. */
import type { OrderHistoryEntry } from "#server/desk/order-history.ts";
import type { QuoteOfOrder } from "#server/desk/quotes.ts";
import { type TimeView, timeView } from "../view.ts";

export type MomentView = Omit<OrderHistoryEntry, "at"> & { at: TimeView };

export interface StoryPart {
  /** Null for calls that have led to no event yet. */
  moment: MomentView | null;
  /** Collapsed, because one order can make hundreds of calls. */
  calls: MomentView[];
}

/** @param entries oldest first */
export function storyOf(entries: readonly OrderHistoryEntry[]): StoryPart[] {
  const parts: StoryPart[] = [];
  let calls: MomentView[] = [];
  for (const { at, ...entry } of entries) {
    const moment = { ...entry, at: timeView(at) };
    if (entry.kind === "call") calls.unshift(moment);
    else {
      parts.unshift({ moment, calls });
      calls = [];
    }
  }
  return calls.length === 0 ? parts : [{ moment: null, calls }, ...parts];
}

export function quoteView(quote: QuoteOfOrder | null) {
  if (quote === null) return null;
  const { number, version, state, validUntil, requests } = quote;
  return {
    number,
    version,
    state,
    until: timeView(validUntil),
    requests: requests.map(({ askedAt, answeredAt, ...each }) => ({
      ...each,
      requestedAt: timeView(askedAt),
      answered: answeredAt && timeView(answeredAt),
    })),
  };
}
