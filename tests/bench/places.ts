/**
 * The store with content on every screen: the demo company, and orders left at each step, with the browsers that may see them.
 */
import { Readable } from "node:stream";
import { identityProofCookie } from "#app/http/cookies.ts";
import { insertDeletion } from "#db/privacy/account-deletions.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { mintContactToken } from "#server/accounts/billing-contacts.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { openProof } from "#server/accounts/identity-proofs.ts";
import { mintUnsubscribeToken } from "#server/accounts/mail-preferences.ts";
import { mintInviteToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { importPriceList } from "#server/desk/price-lists/import.ts";
import { exportPrices } from "#server/desk/price-lists/lists.ts";
import { addStaff } from "#server/desk/staff-accounts.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, type OrderPlace, returnForm, toCheckout, toReview } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { answerSignInExistingTenant, paidOrder } from "#tests/support/paid-order.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { buyerPassword, makeGuardedBuyer } from "#tests/support/second-factor.ts";
import type { Stack } from "#tests/support/stack.ts";
import { toTransfer } from "#tests/support/transfer.ts";

/** An order's path, and a browser that may open it. */
interface Left {
  path: string;
  browser: HttpBrowser;
}

export interface Places {
  stranger: HttpBrowser;
  /** The demo company's owner. */
  owner: HttpBrowser;
  /** A browser that came from another site with a session in its link. */
  offered: HttpBrowser;
  /** A browser that came from an identity provider with an unverified email. */
  claiming: HttpBrowser;
  /** A browser that has entered the password, and has to enter a code. */
  halfway: HttpBrowser;
  begun: Left;
  atReview: Left;
  atPayment: Left;
  paid: Left;
  done: Left;
  contract: Left;
  addOn: Left;
  seats: Left;
  renewal: Left;
  /** A Microsoft subscription of the owner's. */
  subscriptionId: string;
  invoice: string;
  creditNote: Left;
  /** Paths of the links in mails. */
  resume: string;
  unsubscribe: string;
  resetPassword: string;
  keepAccount: string;
  invite: string;
  billingContact: string;
  /** An order that waits for a choice of another way to pay, and one that waits for a transfer. */
  otherWay: Left;
  references: Left;
  proforma: Left;
  quote: Left;
  quoteRequest: Left;
  /** An order that waits for an administrator. */
  approval: Left;
  /** A browser signed in as a Desk admin. */
  admin: HttpBrowser;
  /** A browser that has entered the password but not the code, which can be entered for ten minutes only. */
  signInAtDesk: () => Promise<HttpBrowser>;
  deskSetUp: string;
  deskOrder: string;
  deskDocument: string;
  deskGstr1: string;
  deskAct: string;
  deskCustomer: string;
  /** A draft of a price list. */
  deskPriceList: string;
}

/** A list of all current prices, a tenth of which are a rupee or a dollar higher. @returns its number */
async function importAll(context: Context): Promise<number> {
  const [titles = "", ...lines] = (await exportPrices(context.db, new Date())).trim().split("\r\n");
  const dearer = lines.map((line, index) =>
    index % 10 === 0
      ? line.replace(/,(\d+)\.(\d\d),/, (_, whole, cents) => `,${Number(whole) + 1}.${cents},`)
      : line,
  );
  const pieces = Readable.from([[titles, ...dearer].join("\n")], { encoding: "utf8" });
  const source = { kind: "file", name: "prices.csv", pieces } as const;
  const { list } = await importPriceList(context, {
    source,
    fromDay: null,
    by: "bench",
    now: new Date(),
    dryRun: false,
  });
  return list.id;
}

export async function makePlaces(stack: Stack, context: Context): Promise<Places> {
  const { db, env } = context;
  await loadDemoData(db);
  const user = await findUserByEmail(db, demoEmails.owner);
  if (user === null) throw new Error("The demo data has no owner");
  const owner = await signedIn(context, stack.url, { userId: user.id, email: user.email });

  const starter = new HttpBrowser(stack.url);
  const begun = await beginOrder(starter);
  const reviewer = new HttpBrowser(stack.url);
  const review = await toReview(reviewer);
  const atPayment = await toCheckout(stack.url);
  const paid = await toCheckout(stack.url);
  const payment = await sandboxControls(stack.sandboxUrl).pay({
    orderId: paid.providerOrderId,
    webhook: false,
  });
  await paid.browser.post("/payments/return", returnForm(paid.providerOrderId, payment));

  const quoteId = await makeQuoteOf(reviewer, review);
  const quoteRequest = await sendQuote(db, reviewer, quoteId, {
    kind: "approve",
    email: "approver@example.com",
    why: "Seats for the new branch in Pune",
  });
  // Shows the notification, so that it is gone.
  await reviewer.get(paths.cart());

  const transfer = await toTransfer(stack.url);
  const order = await paidOrder(stack);
  await answerSignInExistingTenant(order, "admin@bench.onmicrosoft.com");

  const offered = new HttpBrowser(stack.url);
  const { token } = await createSession(db, env.SESSION_SECRETS, user.id);
  await offered.get(`/?jwt-token=${encodeURIComponent(token)}`, { "Sec-Fetch-Site": "cross-site" });

  const claiming = new HttpBrowser(stack.url);
  const person = {
    provider: "outlook" as const,
    issuer: "https://login.example/v2.0",
    subject: "bench",
    firstName: "Asha",
    lastName: "Rao",
    email: demoEmails.owner,
  };
  const key = await db.transaction().execute((trx) => openProof(trx, person, "/"));
  const [pair = ""] = (await identityProofCookie(env, "outlook").serialize(key)).split(";");
  const [name = "", value = ""] = pair.split(/=(.*)/s);
  claiming.setCookie(name, value);

  const guarded = await makeGuardedBuyer(context);
  const halfway = new HttpBrowser(stack.url);
  await halfway.post(paths.login(), { email: guarded.email, password: buyerPassword });

  const done = await db
    .selectFrom("orders")
    .select(["id", "family", "item_id", "country"])
    .where("stage", "=", "stage4")
    .where("kind", "=", "NEW")
    .orderBy("created_at")
    .executeTakeFirstOrThrow();
  const { id: base } = await db
    .selectFrom("subscriptions")
    .select("id")
    .where("family", "=", "microsoft")
    .where("term", "=", "P1Y")
    .where("parent_subscription_id", "is", null)
    .orderBy("start_date")
    .executeTakeFirstOrThrow();
  const { id: tenant } = await db
    .selectFrom("tenants")
    .select("id")
    .where("family", "=", "microsoft")
    .executeTakeFirstOrThrow();

  const ofUser = { userId: user.id, ttlSeconds: 3_600 };
  const unsubscribe = await mintUnsubscribeToken(db, user.id, "renewals");
  const resume = await mintToken(db, { purpose: "resume-order", orderId: done.id, ...ofUser });
  // The viewer leaves it, so that the owner's pages stay unchanged.
  const leaving = await findUserByEmail(db, demoEmails.viewer);
  if (leaving === null) throw new Error("The demo has no viewer");
  const askedAt = new Date();
  const dueAt = new Date(askedAt.getTime() + 7 * 86_400_000);
  await db.transaction().execute((trx) => insertDeletion(trx, { userId: leaving.id, askedAt, dueAt }));
  const keep = await mintToken(db, { purpose: "keep-account", userId: leaving.id, ttlSeconds: 3_600 });
  const reset = await mintToken(db, { purpose: "reset-password", ...ofUser });
  await owner.post(paths.members(), { intent: "invite", email: "new@example.com", role: "buyer" });
  const { id: inviteId } = await db.selectFrom("member_invites").select("id").executeTakeFirstOrThrow();
  const invite = await mintInviteToken(db, inviteId, new Date(Date.now() + 3_600_000));
  await owner.post(paths.company(), {
    intent: "add-contact",
    email: "accounts@example.com",
    getsInvoices: "on",
  });
  const { id: contactId } = await db.selectFrom("billing_contacts").select("id").executeTakeFirstOrThrow();
  const billingToken = await mintContactToken(db, contactId);
  // Shows the notification, which would otherwise appear on the owner's pages.
  await owner.get(paths.members());

  const invoice = await db
    .selectFrom("invoices")
    .select("number")
    .where("order_id", "=", paid.id)
    .executeTakeFirstOrThrow();
  const staff = await makeStaff(context, "admin");
  const newcomer = { email: "new@staff.example", role: "support" } as const;
  const setUp = await addStaff(context, newcomer, { by: "bench", reason: "bench" });

  /** Posts step 1 as the owner. */
  async function begin(path: string, destination: string): Promise<Left> {
    const { location } = await owner.post(path, { term: "P1Y", quantity: "1", destination });
    if (location === null) throw new Error(`${path} began no order`);
    return { path: location.replace(/\/[a-z-]+$/, ""), browser: owner };
  }

  const ofOrder = ({ path }: OrderPlace, browser: HttpBrowser): Left => ({ path, browser });
  return {
    stranger: new HttpBrowser(stack.url),
    owner,
    offered,
    claiming,
    halfway,
    begun: ofOrder(begun, starter),
    atReview: ofOrder(review, reviewer),
    atPayment: ofOrder(atPayment, atPayment.browser),
    paid: ofOrder(paid, paid.browser),
    done: {
      path: paths.order({ id: done.id, family: done.family, item: done.item_id, country: done.country }),
      browser: owner,
    },
    contract: await begin("/contract/microsoft/microsoft-365-business-basic/IN?TUP=true", tenant),
    addOn: await begin(paths.newAddOn(), base),
    seats: await begin(paths.buyMore(base), ""),
    renewal: await begin(paths.renew(base), ""),
    subscriptionId: base,
    invoice: paths.invoice(done.id),
    creditNote: { path: paths.creditNote(await refundPart(context, paid.id, 100)), browser: paid.browser },
    resume: paths.resume(resume),
    unsubscribe: paths.unsubscribe(unsubscribe),
    resetPassword: paths.resetPassword(reset),
    keepAccount: paths.cancelAccountDeletion(keep),
    invite: paths.invite(invite),
    billingContact: paths.billingContact(billingToken),
    otherWay: { path: paths.payAnotherWay(review.id), browser: reviewer },
    references: { path: paths.orderReferences(review.id), browser: reviewer },
    quote: { path: paths.quote(quoteId), browser: reviewer },
    quoteRequest: { path: quoteRequest, browser: new HttpBrowser(stack.url) },
    proforma: { path: paths.proforma(transfer.id), browser: transfer.browser },
    approval: { path: paths.approval(order.id), browser: order.browser },
    admin: await staffBrowser(context, stack.url, staff),
    signInAtDesk: () => staffBrowser(context, stack.url, staff, { verified: false }),
    deskSetUp: setUp.path,
    deskOrder: paths.deskOrder(done.id),
    deskDocument: paths.deskDocument(invoice.number),
    deskGstr1: paths.deskGstr1({ month: zonedMonth(new Date(), gstCountry), show: "all" }),
    deskAct: paths.deskActionForm("order.refund", paid.id),
    deskCustomer: paths.deskCustomer((await listMemberships(db, user.id))[0]?.id ?? ""),
    deskPriceList: paths.deskPriceList(await importAll(context)),
  };
}
