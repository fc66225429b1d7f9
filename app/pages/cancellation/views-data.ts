/** View models of a cancellation's page: the options, the confirmation, and the state of a request. */
import type { Cancellation } from "#db/billing/cancellations.ts";
import { type CancellationId, newId } from "#db/ids.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { CancellationKind, Country } from "#db/tables/enums.ts";
import type { CancellationOptions } from "#server/billing/cancellations/options.ts";
import type { CancellationResult } from "#server/billing/cancellations/read.ts";
import type { CancellationRefund } from "#server/billing/cancellations/refund-calculation.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { formatDate, formatDateTime, formatTime } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { StepListItem } from "../../ui/step-list.tsx";
import type { SummaryRow } from "../../ui/summary-list.tsx";

type Saying = Pick<RequestContext, "text" | "language">;
type Step = Pick<StepListItem, "title" | "state" | "stateWord"> & { words: string | null };

export interface ChoiceView {
  view: "choice";
  title: string;
  about: string;
  cancel: { until: string; back: string; href: string } | { closed: string };
  reduce: { until: string; hint: string; most: number } | { closed: string };
}

export interface ConfirmView {
  view: "confirm";
  title: string;
  about: string;
  kind: CancellationKind;
  effect: string;
  lines: SummaryRow[];
  /** Hidden values of the form. */
  form: { id: CancellationId; give: string; total: string };
  backHref: string;
}

export interface StateView {
  view: "state";
  title: string;
  about: string;
  steps: Step[];
  /** A note on the current state. */
  note: string | null;
  hasCreditNote: boolean;
}

/** @param country of the company, whose time zone the dates use */
export function choiceView(
  { text, language }: Saying,
  {
    subscription,
    country,
    offer,
  }: { subscription: Subscription; country: Country; offer: CancellationOptions },
): ChoiceView {
  const { id, quantity } = subscription;
  const until = (date: Date) =>
    text("cancellation.until", { moment: formatDateTime(date, country, language) });
  const { cancel, reduce } = offer;
  return {
    view: "choice",
    title: text("cancellation.linkOf", { what: subscription.name }),
    about: aboutOf({ text, language }, subscription, country),
    cancel:
      "closed" in cancel
        ? { closed: translate(language, cancel.closed) }
        : {
            until: until(cancel.until),
            back: text("cancellation.comesBack", { amount: formatMoney(cancel.total) }),
            href: paths.cancelSubscription(id, { give: "all" }),
          },
    reduce:
      "closed" in reduce
        ? { closed: translate(language, reduce.closed) }
        : {
            until: until(reduce.until),
            most: reduce.most,
            hint: text("cancellation.seatsHint", {
              held: text("orders.licences", { count: quantity }),
              most: reduce.most,
            }),
          },
  };
}

export async function confirmView(
  { text, language, context }: Saying & Pick<RequestContext, "context">,
  input: {
    subscription: Subscription;
    country: Country;
    kind: CancellationKind;
    seats: number;
    back: CancellationRefund;
  },
): Promise<ConfirmView> {
  const { subscription, country, kind, seats, back } = input;
  const { name, id } = subscription;
  const lines: SummaryRow[] = [];
  for (const { orderId, seats: count, amount } of back.parts) {
    const order = await findOrder(context.db, orderId);
    if (order === null) throw new RangeError("A part comes back of an order that is not there");
    const label = text("cancellation.ofOrder", {
      number: orderNumber(order),
      licences: text("orders.licences", { count }),
    });
    lines.push({ label, value: formatMoney(amount) });
  }
  lines.push({ label: text("cancellation.total"), value: formatMoney(back.total), strong: true });
  const licences = text("orders.licences", { count: seats });
  return {
    view: "confirm",
    title:
      kind === "cancel"
        ? text("cancellation.confirmCancel", { name })
        : text("cancellation.confirmReduce", { licences, name }),
    about: aboutOf({ text, language }, subscription, country),
    kind,
    effect: text(kind === "cancel" ? "cancellation.cancelEffect" : "cancellation.reduceEffect"),
    lines,
    form: {
      id: newId<CancellationId>(),
      give: kind === "cancel" ? "all" : String(seats),
      total: String(back.total.minor),
    },
    backHref: paths.cancelSubscription(id),
  };
}

export function stateView(
  { text, language }: Saying,
  known: {
    subscription: Subscription;
    country: Country;
    cancellation: Cancellation;
    outcome: CancellationResult;
  },
): StateView {
  const { subscription, country, cancellation, outcome } = known;
  const { kind, state, problem, needsPerson } = cancellation;
  const { name } = subscription;
  const isDone = state === "refund_requested";
  const isUnderWay = state === "requested" || state === "vendor_done";
  const underWayNote = text(needsPerson ? "cancellation.lookedAfter" : "cancellation.goesOn");
  return {
    view: "state",
    title: text(kind === "cancel" ? "cancellation.cancelling" : "cancellation.reducing", { name }),
    about: aboutOf({ text, language }, subscription, country),
    steps: stepsOf({ text, language }, known),
    note: isUnderWay ? underWayNote : problem === null ? null : translate(language, problem),
    hasCreditNote: isDone && outcome.money !== "none",
  };
}

function stepsOf(
  { text, language }: Saying,
  known: {
    subscription: Subscription;
    country: Country;
    cancellation: Cancellation;
    outcome: CancellationResult;
  },
): Step[] {
  const { subscription, country, cancellation, outcome } = known;
  const { kind, state, seatsBefore, seatsAfter } = cancellation;
  const family = families[subscription.family].label;
  const at = (date: Date | null) =>
    date === null ? null : `${formatDate(date, country, language)}, ${formatTime(date, country, language)}`;
  const done = text("timeline.done");
  const now = text("timeline.now");
  const requestedStep: Step = {
    title: text("cancellation.stepAsked"),
    state: "done",
    stateWord: done,
    words: at(cancellation.createdAt),
  };
  if (state === "refused")
    return [
      requestedStep,
      {
        title: text("cancellation.stepRefused", { family }),
        state: "failed",
        words: at(cancellation.finishedAt),
      },
    ];
  const isAtVendor = state !== "requested";
  const isRefunding = state === "refund_requested";
  const licences = text("orders.licences", { count: seatsBefore - seatsAfter });
  return [
    requestedStep,
    {
      title:
        kind === "cancel"
          ? text("cancellation.stepEnded", { family })
          : text("cancellation.stepReduced", { family, licences }),
      ...(isAtVendor ? { state: "done", stateWord: done } : { state: "now", stateWord: now }),
      words: at(cancellation.vendorDoneAt),
    },
    {
      title:
        outcome.money === "none"
          ? text("cancellation.stepNoRefund")
          : text("cancellation.stepRefund", { amount: formatMoney(outcome.total) }),
      ...(isRefunding
        ? { state: "done", stateWord: done }
        : isAtVendor
          ? { state: "now", stateWord: now }
          : { state: "upcoming" }),
      words: at(cancellation.finishedAt),
    },
    ...(outcome.money === "none" ? [] : [moneyStep({ text }, outcome, isRefunding)]),
  ];
}

function moneyStep(
  { text }: Pick<Saying, "text">,
  { money, bankReferences }: CancellationResult,
  isRefunding: boolean,
): Step {
  const title = text("cancellation.stepMoney");
  if (money === "arrived") {
    const words =
      bankReferences.length === 0
        ? null
        : text("cancellation.bankReferences", { references: bankReferences.join(", ") });
    return { title, state: "done", stateWord: text("timeline.done"), words };
  }
  if (money === "failed") return { title, state: "failed", words: text("cancellation.moneyFailed") };
  const words = text("cancellation.moneyTakes");
  return isRefunding
    ? { title, state: "now", stateWord: text("timeline.now"), words }
    : { title, state: "upcoming", words };
}

function aboutOf(
  { text, language }: Saying,
  { quantity, domain, end }: Subscription,
  country: Country,
): string {
  return text("cancellation.about", {
    licences: text("orders.licences", { count: quantity }),
    domain,
    date: formatDate(end, country, language),
  });
}
