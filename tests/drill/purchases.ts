/**
 * A drill's purchases, of every family, country and payment method, by buyers who do not give up: they repeat an unanswered step,
 * and start again if it cannot be repeated. A buyer pays once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { OrderId } from "#db/ids.ts";
import { beginChange, openPayment } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer, seedProviders } from "#tests/support/customer.ts";
import type { Fleet } from "#tests/support/fleet.ts";
import { orderedSku } from "#tests/support/google-outcome.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import {
  googlePlan,
  type OrderPlace,
  pastAccount,
  returnForm,
  toCheckout,
  type WantedPlan,
} from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import {
  answerSignInAndConfirm,
  answerSignInGoogle,
  answerSignInNewTenant,
  answerSignInTransfer,
  freshPrefix,
} from "#tests/support/paid-order.ts";
import { askForLink } from "#tests/support/payment-link.ts";
import { proformaFor } from "#tests/support/transfer.ts";

type Random = (from: number, to: number) => number;

interface Kind {
  what: "new" | "existing" | "transfer" | "more" | "renew";
  family: "microsoft" | "google" | "brio";
  country: "IN" | "US";
  way: "card" | "link" | "transfer";
}

const families = ["microsoft", "google", "brio"] as const;
const countries = ["IN", "US"] as const;

/** All kinds. Links and transfers are enabled in India, and only Google has domain transfers. */
export const kinds: readonly Kind[] = [
  ...families.flatMap((family) => [
    ...countries.map((country) => ({ what: "new", family, country, way: "card" }) as const),
    { what: "new", family, country: "IN", way: "link" } as const,
    { what: "new", family, country: "IN", way: "transfer" } as const,
    ...countries.map((country) => ({ what: "more", family, country, way: "card" }) as const),
    { what: "renew", family, country: "IN", way: "card" } as const,
  ]),
  { what: "existing", family: "microsoft", country: "IN", way: "card" },
  { what: "transfer", family: "google", country: "IN", way: "card" },
];

interface Purchase extends Kind {
  /** Whether the buyer returns from the provider, or has closed the window. */
  comesBack: boolean;
}

/** The given number of purchases, equally many of each kind, in random order. */
export function planOf(count: number, random: Random): Purchase[] {
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length])
    .filter((kind) => kind !== undefined)
    .map((kind) => ({ kind, comesBack: random(0, 10) > 1, at: random(0, 1_000_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ kind, comesBack }) => ({ ...kind, comesBack }));
}

const itemOf: Record<Kind["family"], WantedPlan> = {
  microsoft: { family: "microsoft", item: "microsoft-365-business-basic" },
  google: googlePlan(""),
  brio: { family: "brio", item: "brio-desk" },
};

/** An order that waits for its payment, and the remaining steps. */
interface Checkout extends OrderPlace {
  browser: HttpBrowser;
  email: string;
  /** Pays at the provider, and returns if asked to. */
  pay(comesBack: boolean): Promise<void>;
  /** Names the account; null without a sign-in step. */
  signIn: (() => Promise<void>) | null;
}

/** @returns the order, paid and with its account named */
export async function purchase(fleet: Fleet, planned: Purchase): Promise<OrderId> {
  const checkout = await insist(() => toPaying(fleet, planned));
  await checkout.pay(planned.comesBack);
  const { signIn } = checkout;
  if (signIn !== null)
    await insist(async () => {
      const status = await fulfilmentOf(fleet, checkout.id);
      if (status === "not_due") {
        // Loading the page makes the store ask the provider.
        await expectBelow500(checkout.browser.get(`${checkout.path}/place-order`));
        throw new Error(`${checkout.id}: the store does not know of its payment yet`);
      }
      // A person without an answer checks, and finds that it is done.
      if (status === "waiting_for_signin") await signIn();
    });
  return checkout.id;
}

async function toPaying(fleet: Fleet, kind: Kind): Promise<Checkout> {
  if (kind.what === "more" || kind.what === "renew") return toPayingChange(fleet, kind);
  const { stack, sides } = fleet;
  const { family, country, way } = kind;
  const prefix = freshPrefix("drill");
  const domain = `${prefix}.com`;
  if (kind.what === "transfer") await sides.provider.holdElsewhere(domain, [orderedSku]);
  const options = {
    browser: new HttpBrowser(stack.url),
    country,
    wanted: { ...itemOf[family], ...(family === "google" && { domain }) },
  };
  const order = await checkoutBy[way](fleet, options);
  const signIns: Record<Kind["family"], (() => Promise<void>) | null> = {
    microsoft:
      kind.what === "existing"
        ? () => confirmExisting(fleet, order, `${prefix}.onmicrosoft.com`)
        : () => answerSignInNewTenant(order, { prefix }),
    google:
      kind.what === "transfer"
        ? () => answerSignInTransfer(order, "SANDBOX-TOKEN")
        : () => answerSignInGoogle(order, "admin"),
    brio: null,
  };
  return { ...order, signIn: signIns[family] };
}

type Beginning = Parameters<typeof toCheckout>[1] & { browser: HttpBrowser };
type Paying = Omit<Checkout, "signIn">;

const checkoutBy: Record<Kind["way"], (fleet: Fleet, options: Beginning) => Promise<Paying>> = {
  async card(fleet, options) {
    const order = await toCheckout(fleet.stack.url, options);
    return { ...order, pay: (comesBack) => payByCard(fleet, order, order.providerOrderId, comesBack) };
  },
  async link(fleet, options) {
    const { browser } = options;
    const order = await pastAccount(browser, options);
    await askForLink(browser, order);
    const linkId = await openedFor(fleet, order.id, () => browser.get(`/orders/${order.id}/pay`));
    return {
      ...order,
      browser,
      async pay(comesBack) {
        const { returnAddress } = await fleet.sides.controls.payLink({ linkId });
        const back = new URL(returnAddress);
        if (comesBack) await insist(() => expectBelow500(browser.get(back.pathname + back.search)));
      },
    };
  },
  async transfer(fleet, options) {
    const { browser } = options;
    const order = await pastAccount(browser, options);
    const amount = await proformaFor(browser, order);
    const accountId = await openedFor(fleet, order.id, () => browser.get(`/orders/${order.id}/proforma`));
    return {
      ...order,
      browser,
      pay: async () => {
        await fleet.sides.controls.credit({ accountId, amount });
      },
    };
  },
};

/**
 * The provider's id of a link or account for an order. If the response to the request was lost, a job opens it, or the page about
 * it, which the buyer reloads.
 */
function openedFor({ context }: Fleet, id: OrderId, look: () => Promise<Answer>): Promise<string> {
  return insist(async () => {
    await expectBelow500(look());
    const intent = await context.db
      .selectFrom("payment_intents")
      .select("provider_order_id")
      .where("order_id", "=", id)
      .where("status", "=", "open")
      .executeTakeFirst();
    if (intent?.provider_order_id == null) throw new Error(`Nothing is open for ${id} at its provider`);
    return intent.provider_order_id;
  });
}

async function toPayingChange(fleet: Fleet, { what, family, country }: Kind): Promise<Checkout> {
  const { stack, context } = fleet;
  const customer = await makeCustomer(context.db, country);
  const held = await createSubscriptionFor(context.db, customer, {
    family,
    endsInDays: what === "renew" ? 20 : 100,
  });
  await seedProviders(context.db, stack.sandboxUrl, customer);
  const browser = await signedIn(context, stack.url, customer.owner);
  const change = what === "renew" ? "renew" : "more";
  const order = await beginChange(browser, change, held.id, what === "renew" ? 10 : 5);
  const providerOrderId = await openPayment(browser, order);
  return {
    ...order,
    browser,
    email: customer.owner.email,
    pay: (comesBack) => payByCard(fleet, { browser }, providerOrderId, comesBack),
    signIn: null,
  };
}

async function payByCard(
  { sides }: Fleet,
  { browser }: { browser: HttpBrowser },
  providerOrderId: string,
  comesBack: boolean,
): Promise<void> {
  const paid = await sides.controls.pay({ orderId: providerOrderId });
  if (comesBack)
    await insist(() => expectBelow500(browser.post("/payments/return", returnForm(providerOrderId, paid))));
}

/** The administrator of the buyer's tenant accepts the store, and confirms the order. */
async function confirmExisting({ sides }: Fleet, order: Paying, domain: string): Promise<void> {
  await sides.provider.approve(domain);
  await answerSignInAndConfirm({ ...order, totalMinor: 0, providerOrderId: "" }, `boss@${domain}`);
}

interface Answer {
  status: number;
  text: string;
}

async function expectBelow500(response: Promise<Answer>): Promise<void> {
  const { status, text } = await response;
  if (status >= 500) throw new Error(`The store answered ${status}: ${text.slice(0, 200)}`);
}

async function fulfilmentOf({ context }: Fleet, id: OrderId): Promise<string> {
  const order = await context.db
    .selectFrom("orders")
    .select("fulfilment_status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return order.fulfilment_status;
}

/** Long enough for a slow machine, on which a buyer starts again several times. */
const timeoutMs = 600_000;

/** Retries until it succeeds. @throws the last error, after ten minutes */
export async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + timeoutMs; ; ) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(400);
    }
  }
}
