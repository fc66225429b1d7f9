/** Events of payment providers that had no effect here: waiting, unreadable, not needed, or about another system. */
import { z } from "zod";
import { parseTextCursor } from "#db/keyset.ts";
import { listUnusedEvents, type UnusedEventState, unusedEventStates } from "#db/platform/provider-events.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import type { StateTone } from "../labels.ts";
import { defineList, keysetRows, oneOf, toListOptions } from "./list.ts";

const stateLabels: Readonly<Record<UnusedEventState, string>> = {
  waiting: "Waiting for its payment",
  unreadable: "Not readable",
  unused: "Not needed",
  foreign: "Another system's payment",
};

const tones: Readonly<Record<UnusedEventState, StateTone>> = {
  waiting: "due",
  unreadable: "bad",
  unused: null,
  foreign: null,
};

export const eventsList = defineList({
  title: "Payment events not used",
  explains: "Events of the last 90 days that changed nothing here, newest first.",
  empty: "No such events.",
  fileName: "payment-events",
  filter: z.object({ state: oneOf(unusedEventStates) }),
  fields: [{ name: "state", label: "State", kind: "choice", options: toListOptions(stateLabels) }],
  read: ({ db }, { state }, query) =>
    keysetRows(parseTextCursor, query, (place) => listUnusedEvents(db, { state, ...place })),
  id: ({ provider, eventId }) => `${provider}:${eventId}`,
  columns: [
    { label: "Kind", cell: ({ type }) => type },
    { label: "State", cell: ({ state }) => ({ text: stateLabels[state], tone: tones[state] }) },
    {
      label: "What",
      holds: "words",
      cell: ({ problem, paymentId }) => problem ?? (paymentId === null ? "" : `Payment ${paymentId}`),
    },
    {
      label: "From",
      cell: ({ provider, account }) => ({ text: paymentProviders[provider].name, small: account }),
    },
    { label: "Received", cell: ({ receivedAt }) => ({ at: receivedAt }) },
  ],
  file: {
    event: ({ eventId }) => eventId,
    kind: ({ type }) => type,
    state: ({ state }) => state,
    what: ({ problem }) => problem,
    payment: ({ paymentId }) => paymentId,
    provider: ({ provider }) => provider,
    account: ({ account }) => account,
    received: ({ receivedAt }) => receivedAt,
  },
});
