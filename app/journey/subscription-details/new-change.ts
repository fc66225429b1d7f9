/**
 * The first step of buy more and of renew: the same data and post, each for its kind of order. Whoever has paid for such
 * an order already is led to that one, and not asked for a second payment.
 */
import { redirect } from "@remix-run/node";
import type { z } from "zod";
import { findLatestChange } from "#db/subscriptions.ts";
import { notFound } from "#server/errors.ts";
import { changeJustDone, changeUnderWay } from "#server/orders/change-under-way.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { findOrder } from "#server/orders/find.ts";
import { type ChangeKind, whyNotNow } from "#server/orders/subscription-change.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatTime } from "#server/subscriptions/dates.ts";
import { type Page, redirectWith, requireSession } from "../../http/page.ts";
import { type Answers, detailsSchemaOf, saveDetails } from "./details-post.ts";
import { askerOf, currentPath, orderPath } from "../guard.ts";
import { changeOffer, justBegun } from "./offer.ts";
import { newOrderPanel } from "../panel-steps.ts";
import type { subscriptionParams } from "../../params.ts";
import { paths } from "../../paths.ts";
import { detailsView } from "./details-view.ts";

type Params = z.output<typeof subscriptionParams>;
type ChangeOffer = NonNullable<Awaited<ReturnType<typeof changeOffer>>>;

/**
 * @throws DomainError not_found, or forbidden for a viewer; a redirect to the login, to the popup that offers to go on with
 * what is paid for (docs/specification.md, section 4.6), or back to the list with the reason why the subscription cannot be changed
 * so
 */
async function offerAt(page: Page, kind: ChangeKind, { subscriptionId }: Params) {
  requireSession(page);
  const offer = await changeOffer(page, kind, subscriptionId);
  if (offer === null) throw notFound("subscription");
  requireBuyer(askerOf(page));
  const { subscription, country } = offer;
  const underWay = await changeUnderWay(page.context, subscription.id, kind);
  if (underWay.state === "paid") throw redirect(paths.subscriptions({ completed: underWay.order.id }));
  const refused = await whyNotNow(page.context.db, kind, subscription, country, new Date());
  if (refused !== null) {
    const message = `${subscription.name}, ${subscription.domain}: ${refused}`;
    throw await redirectWith(page, paths.subscriptions(), { type: "error", message });
  }
  return offer;
}

/** `?stage=3` leads to the last step of the latest order that is paid; with none, the first step shows. */
async function toLastStep(page: Page, kind: ChangeKind, { subscriptionId }: Params): Promise<void> {
  if (page.url.searchParams.get("stage") !== "3") return;
  requireSession(page);
  const offer = await changeOffer(page, kind, subscriptionId);
  const { db } = page.context;
  const id =
    offer === null ? null : await findLatestChange(db, offer.subscription.id, kind, { paidOnly: true });
  const order = id === null ? null : await findOrder(db, id);
  if (order !== null) throw redirect(currentPath(order));
}

/** What the step shows. @throws as offerAt, and a redirect for `?stage=3` */
export async function newChangeView(page: Page, kind: ChangeKind, params: Params) {
  await toLastStep(page, kind, params);
  const offer = await offerAt(page, kind, params);
  return {
    ...(await detailsView(page, offer, await justBegun(page, offer))),
    panel: newOrderPanel(offer),
    told: await justDone(page, kind, offer),
  };
}

/** Who comes back unsure whether the payment went through hears that it did, before paying for more. */
async function justDone(page: Page, kind: ChangeKind, { subscription, country }: ChangeOffer) {
  const order = await changeJustDone(page.context, subscription.id, kind, new Date());
  if (order === null || order.paidAt === null) return null;
  const what = `${licences(order.line.quantity)} ${kind === "ADD" ? "added" : "renewed"}`;
  return {
    text: `Your payment of ${formatMoney(order.total)} arrived at ${formatTime(order.paidAt, country)}: ${what}.`,
    href: orderPath(order),
  };
}

export async function newChangeSchema(page: Page, kind: ChangeKind, params: Params) {
  return detailsSchemaOf(await offerAt(page, kind, params));
}

/** Posts the step. @returns the redirect to the order's next one @throws as offerAt and saveDetails */
export async function postNewChange(
  page: Page,
  kind: ChangeKind,
  params: Params,
  answers: Answers,
): Promise<Response> {
  const offer = await offerAt(page, kind, params);
  return saveDetails(page, offer, await justBegun(page, offer), answers);
}
