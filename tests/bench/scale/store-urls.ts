/**
 * Addresses of a filled store that buyers use: each of its screens, everything that the largest company reaches from its lists,
 * and the calls that programs make for it.
 */
import { createSession } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { plan } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import type { Places } from "../places.ts";
import { screens } from "../screens.ts";
import { type Address, findAddresses } from "./crawl-urls.ts";
import type { Examples } from "./examples.ts";
import { findLargest, type Largest } from "./largest.ts";

/** @param origin of the store whose database the context has @throws Error for a page that does not answer */
export async function findStoreAddresses(
  context: Context,
  origin: string,
  places: Places,
): Promise<Address[]> {
  const largest = await findLargest(context.db);
  const ofStore = screens.filter(({ file }) => !file.startsWith("desk/"));
  const shown = await Promise.all(
    ofStore.map(async ({ name, at }) => ({ page: name, ...(await at(places)) })),
  );
  const owner = await signedIn(context, origin, largest);
  const leads = [...lists, ...firstSteps(largest), ...papers(largest)].map((path) => ({
    path,
    browser: owner,
  }));
  const found = await findAddresses({ leads, isPart, pageOf, mostAlike: 3, examples: examplesOf(largest) });
  return [
    ...shown,
    ...found.map((address) => ({ ...address, page: `${address.page} of the largest` })),
    ...(await callsOf(context, origin, largest)),
  ];
}

const lists = [paths.subscriptions(), paths.myOrders(), paths.cart(), paths.members(), paths.account()];

const firstSteps = ({ subscriptionId }: Largest) => [
  paths.newContract(plan),
  paths.newAddOn(),
  paths.newAddOn({ base: subscriptionId }),
  paths.buyMore(subscriptionId),
];

const papers = ({ orderId, refundId }: Largest) => [
  paths.invoice(orderId),
  paths.invoicePdf(orderId),
  paths.creditNote(refundId),
  paths.creditNotePdf(refundId),
];

/** Lists, an order's steps, documents, and changes of subscriptions; not the catalogue, which does not depend on the company. */
const isPart = ({ pathname }: URL) =>
  /^\/(subscriptions|myorders|cart|members)$|^\/(order|contract|subscription\/addon|orders|credit-notes|buy\/more)\/[0-9a-f-]{36}|^\/[0-9a-f-]{36}\/renew/.test(
    pathname,
  );

const pageOf = (pathname: string) =>
  pathname
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "*")
    .replace(/(\/(order|contract)\/\*)\/.*\/(IN|US)/, "$1");

/** Values for a list's search: an order's number, the start of a domain, and one without matches. */
const examplesOf = ({ orderNumber: number, domain }: Largest): Examples =>
  new Map([
    ["search", [orderNumber({ number, createdAt: new Date() }), domain.slice(0, 6), "nothing is called so"]],
    ["email", []],
  ]);

/** Calls of a program: with the session's token in a header. */
async function callsOf(context: Context, origin: string, largest: Largest): Promise<Address[]> {
  const { customerId, userId, email, orderId, draftId, subscriptionId } = largest;
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, userId);
  const browser = new HttpBrowser(origin, { Accept: "application/json", Authorization: `Bearer ${token}` });
  const call = (path: string, input: Record<string, string> = {}): Address => {
    const query = new URLSearchParams(input).toString();
    const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "*");
    const of = [input.category, input.limit].filter((word) => word !== undefined).join(" ");
    return { page: `GET ${name} ${of}`.trim(), path: query === "" ? path : `${path}?${query}`, browser };
  };
  return [
    call("/api/get/cust", { id: customerId }),
    call("/dashboard"),
    call("/get/stage", { id: draftId }),
    call("/item", { sku: plan.item }),
    call("/subscriptiondetails", { country: plan.country, item_id: plan.item }),
    call("/placeorder", { id: draftId }),
    call("/closure", { id: orderId }),
    call("/check/user", { email }),
    call("/api/existingsubscriptions", { customerId }),
    call("/api/subscriptions", { customerId }),
    call("/api/subscriptions", { customerId, limit: "200" }),
    call(`/api/subscription/${subscriptionId}`),
    ...["ORD", "CRT"].flatMap((category) => [
      call("/api/get/orders", { category, user: userId }),
      call("/api/get/orders", { category, user: userId, limit: "200" }),
    ]),
    call("/health"),
    call("/readyz"),
  ];
}
