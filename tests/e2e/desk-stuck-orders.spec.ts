/**
 * Every kind of work item, caused through the sandbox, found in Desk's list, and resolved only from Desk, with the actions in the
 * audit log. On a separate stack, because a vendor's faults affect everybody. The compiler requires a story for a new kind.
 */
import { isItemId } from "#db/catalogue/catalogue.ts";
import { findVendorIds } from "#db/catalogue/vendor-catalogue.ts";
import { type WorkItemKind, workItemKinds } from "#db/desk/work-queue.ts";
import { type CustomerId, type MailId, newId, type OrderId, type UserId } from "#db/ids.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { families } from "#server/catalogue/families/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { buySubscription, confirm, openConfirmation } from "#tests/support/bought-subscription.ts";
import { callBook, guid } from "#tests/support/calls.ts";
import { type Customer, createSubscriptionFor, seedProviders } from "#tests/support/customer.ts";
import { type OpenPayment, plan, toCheckout } from "#tests/support/journey.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder, payFor } from "#tests/support/paid-order.ts";
import { type ProviderStateReader, providerState } from "#tests/support/provider-state.ts";
import { type SandboxControls, sandboxControls } from "#tests/support/sandbox-controls.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "../faults/microsoft-calls.ts";
import { expect, test as shared } from "./fixtures.ts";
import { DeskPage } from "./pages/desk.ts";

interface World {
  stack: Stack;
  context: Context;
  controls: SandboxControls;
  provider: ProviderStateReader;
}

const test = shared.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use) => {
      const stack = await startStack({ env: { TRUSTED_PROXIES: "1" } });
      const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "stuck");
      await use({
        stack,
        context,
        controls: sandboxControls(stack.sandboxUrl),
        provider: providerState(stack.sandboxUrl),
      });
      await context.calls.settled();
      await context.db.destroy();
      await stack.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ world }, use) => use(world.stack.url),
  sandboxUrl: async ({ world }, use) => use(world.stack.sandboxUrl),
  databaseUrl: async ({ world }, use) => use(world.stack.databaseUrl),
});
// For a machine with other load.
test.describe.configure({ mode: "default" });

/** A member of staff in Desk. */
class Operator extends DeskPage {
  readonly reason = `Reason ${newId().slice(0, 8)}`;

  async openOrder(id: OrderId): Promise<void> {
    await this.page.goto(paths.deskOrder(id));
  }

  /** Runs a staff action from the order's page. @param fields by label @param reason label of the action's reason */
  async doAct(name: string, fields: Record<string, string> = {}, reason = "Reason"): Promise<void> {
    await this.openAct(name);
    await this.fillAndAct(name, fields, reason);
  }

  /** Runs a staff action from the list. @param link its label there */
  async doInList(
    row: string,
    link: string,
    name: string,
    reason = "Reason",
    fields: Record<string, string> = {},
  ): Promise<void> {
    await this.row(row)
      .getByRole("link", { name: new RegExp(`^${link}`) })
      .click();
    await this.fillAndAct(name, fields, reason);
  }

  private async fillAndAct(name: string, fields: Record<string, string>, reason: string): Promise<void> {
    await expect(this.heading).toHaveText(name);
    for (const [label, value] of Object.entries(fields)) await this.field(label).fill(value);
    await this.field(reason).fill(this.reason);
    await (name === "Refund" ? this.refund() : this.act(name));
    await expect(this.page.locator("[data-notice]")).toBeVisible();
  }
}

interface Stuck {
  title: string;
  make(world: World): Promise<Made>;
}

interface Made {
  /** Text of its row in the list, and of no other row. */
  row: string;
  end(desk: Operator): Promise<void>;
  /** Its entries in the audit log. */
  audit: readonly string[];
}

const right = "What you fixed";
const correctionReason = "Why, and where the details are from";
const { faultAt } = microsoftCalls;

const fulfilmentOf = ({ context }: World, id: OrderId) =>
  context.db
    .selectFrom("orders")
    .select(["number", "created_at as createdAt", "fulfilment_status as status", "payment_status as payment"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const reaches = (world: World, id: OrderId, status: string) =>
  until(`the order is ${status}`, async () => (await fulfilmentOf(world, id)).status === status);

/** A paid order for a new account, which its vendor has refused. */
async function stopped(world: World, ...faults: Fault[]) {
  const { stack, controls } = world;
  const order = await paidOrder(stack);
  await controls.faults(...faults);
  const prefix = freshPrefix("stuck");
  await answerSignInNewTenant(order, { prefix });
  await reaches(world, order.id, "needs_attention");
  return { ...order, prefix, row: orderNumber(await fulfilmentOf(world, order.id)) };
}

/** A paid order of a business whose invoice the portal has refused once. */
async function refusedInvoice({ stack, controls, context }: World, code: string, description: string) {
  const match = { method: "POST", path: "/gsp/ei/api/invoice$" };
  await controls.faults({ match, kind: "refuse", status: 200, code, description, times: 1 });
  const gstin = "29AABCB1234C1ZA";
  const order = await toCheckout(stack.url, {
    account: {
      companyName: "Bright Orchard Technologies",
      organisationRegistrationNumber: gstin,
      gst_code: gstin,
    },
  });
  await payFor(order, stack.sandboxUrl);
  const state = async () =>
    (
      await context.db
        .selectFrom("e_invoices")
        .select("state")
        .where("order_id", "=", order.id)
        .executeTakeFirst()
    )?.state;
  await until("it is refused", async () => (await state()) === "failed");
  return { order, state };
}

/** Refuses once, before the vendor knows anything about the order. */
const refusedAtFirst = (code: string) => faultAt("make customer", "refuse", { status: 400, code, times: 1 });

async function retried(world: World, desk: Operator, id: OrderId): Promise<void> {
  await desk.openOrder(id);
  await desk.doAct("Try again now", {}, right);
  await reaches(world, id, "done");
  await desk.openOrder(id);
  await expect(desk.story).toContainText("Order fulfilled");
}

const stoppedOrders: readonly Stuck[] = [
  {
    title: "is retried after one refusal",
    async make(world) {
      const { id, row } = await stopped(world, faultAt("check out", "orderErrors", { times: 1 }));
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await expect(desk.story).toContainText(/Call microsoft POST \S+\/checkout: 201/);
          await retried(world, desk, id);
        },
        audit: ["order.retry"],
      };
    },
  },
  {
    title: "continues with another address after a refused registration number",
    async make(world) {
      const { id, row } = await stopped(world, refusedAtFirst("600002"));
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Change the address", {
            "Address line 1": "7 Residency Road",
            City: "Mysuru",
            Postcode: "570001",
          });
          await retried(world, desk, id);
        },
        audit: ["order.address", "order.retry"],
      };
    },
  },
  {
    title: "continues with another contact after a refused phone number",
    async make(world) {
      const { id, row } = await stopped(world, refusedAtFirst("600051"));
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Change the contact", { "First name": "Ravi", "Phone number": "9812345678" });
          await retried(world, desk, id);
        },
        audit: ["order.contact", "order.retry"],
      };
    },
  },
  {
    title: "continues with another name and sign-in after a refused name",
    async make(world) {
      const { id, row } = await stopped(world, refusedAtFirst("899999"));
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Change account name", { "Account name": freshPrefix("other") });
          await desk.doAct("Change username", { Username: "boss" });
          await retried(world, desk, id);
        },
        audit: ["order.tenant-name", "order.username", "order.retry"],
      };
    },
  },
  {
    title: "goes into another account of its company",
    async make(world) {
      const { context, stack } = world;
      const { id, row, email } = await stopped(world, refusedAtFirst("899999"));
      const { customerId, userId } = await buyerOf(world, id);
      const customer: Customer = { owner: { userId, email }, customerId, country: "IN" };
      const held = await createSubscriptionFor(context.db, customer, {
        item: "microsoft-365-business-standard",
      });
      await seedProviders(context.db, stack.sandboxUrl, customer);
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Move to another account", { Proof: "Mail of today" });
          await reaches(world, id, "done");
          await desk.openOrder(id);
          await expect(desk.page.getByRole("main")).toContainText(held.domain);
        },
        audit: ["order.move"],
      };
    },
  },
  {
    title: "is marked as fulfilled after a manual purchase",
    async make(world) {
      const refused = { status: 400, code: "899999" };
      const { id, row, prefix } = await stopped(world, faultAt("check out", "refuse", refused));
      const reference = await boughtByHand(world, prefix);
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Mark as done", { Subscription: reference }, "What was done");
          await expect(desk.page.locator("[data-notice]")).toContainText(reference);
          await expect(desk.story).toContainText("Order fulfilled");
        },
        audit: ["order.mark-done"],
      };
    },
  },
  {
    title: "is refunded when it cannot be fulfilled",
    async make(world) {
      const { id, row } = await stopped(world, refusedAtFirst("800075"));
      return {
        row,
        async end(desk) {
          await desk.openOrder(id);
          await desk.doAct("Refund");
          await until("it is paid back", async () => (await fulfilmentOf(world, id)).payment === "refunded");
        },
        audit: ["order.refund"],
      };
    },
  },
];

async function buyerOf({ context }: World, id: OrderId): Promise<{ customerId: CustomerId; userId: UserId }> {
  const { customer_id: customerId, user_id: userId } = await context.db
    .selectFrom("orders")
    .select(["customer_id", "user_id"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (customerId === null || userId === null) throw new Error("It has no buyer");
  return { customerId, userId };
}

/** Buys in the vendor's own console, for the account that an order has created. @returns the subscription's id */
async function boughtByHand({ context, controls }: World, prefix: string): Promise<string> {
  const account = families.microsoft.vendor?.catalogue.accountIn(context.env, "IN") ?? "";
  if (!isItemId(plan.item)) throw new Error(`Not an item's id: ${plan.item}`);
  const ids = await findVendorIds(context.db, { itemId: plan.item, country: "IN", account });
  if (ids === null) throw new Error("The plan was not found at the vendor");
  const id = newId();
  const year = 365 * 86_400_000;
  await controls.plant({
    subscriptions: [
      {
        customerId: tenantIdOf(`${prefix}.onmicrosoft.com`),
        id,
        ...ids,
        quantity: 2,
        termDuration: "P1Y",
        billingCycle: "annual",
        effectiveStartDate: new Date().toISOString(),
        commitmentEndDate: new Date(Date.now() + year).toISOString(),
      },
    ],
  });
  return id;
}

const subscriptionCalls = callBook<"change">({
  change: { method: "PATCH", path: `^/partner-center/v1/customers/${guid}/subscriptions/${guid}$` },
});

/** @param act its label in the list @param name its label on the staff action's page */
const cancellation = (decided: {
  title: string;
  act: string;
  name: string;
  reason?: string;
  state: string;
}) =>
  ({
    title: decided.title,
    async make(world) {
      const { context, controls } = world;
      const bought = await buySubscription(world, { quantity: 3 });
      await controls.faults(subscriptionCalls.faultAt("change", "refuse", { status: 400, code: "999999" }));
      await confirm(bought, await openConfirmation(bought, "all"));
      const read = () =>
        context.db
          .selectFrom("cancellations")
          .select(["needs_person", "state"])
          .where("subscription_id", "=", bought.id)
          .executeTakeFirst();
      await until("it needs a person", async () => (await read())?.needs_person === true);
      return {
        row: orderNumber(await fulfilmentOf(world, bought.orderId)),
        async end(desk) {
          const row = orderNumber(await fulfilmentOf(world, bought.orderId));
          await desk.doInList(row, decided.act, decided.name, decided.reason);
          await until("it is over", async () => (await read())?.state === decided.state);
        },
        audit: [decided.act === "Reject" ? "cancellation.refuse" : "cancellation.finish"],
      };
    },
  }) satisfies Stuck;

async function paymentOf({ context }: World, { id }: OpenPayment): Promise<string> {
  const { provider_payment_id } = await context.db
    .selectFrom("payments")
    .select("provider_payment_id")
    .where("order_id", "=", id)
    .where("status", "=", "captured")
    .executeTakeFirstOrThrow();
  return provider_payment_id;
}

/** Claims a work item. */
async function taken(desk: Operator, row: string): Promise<void> {
  await desk.row(row).getByRole("button", { name: /^Take/ }).click();
  await expect(desk.page.locator("[data-notice]")).toContainText("Assigned to you.");
}

const stories: Readonly<Record<WorkItemKind, readonly Stuck[]>> = {
  "stopped-order": stoppedOrders,
  "given-back": [
    {
      title: "is closed once the vendor has no part of it",
      async make(world) {
        const refused = { status: 400, code: "899999" };
        const order = await stopped(world, faultAt("check out", "refuse", refused));
        const { id, row } = order;
        // Somebody refunds it in the payment provider's dashboard.
        await world.controls.refund({ paymentId: await paymentOf(world, order) });
        await until("it went back", async () => (await fulfilmentOf(world, id)).payment === "refunded");
        return {
          row,
          async end(desk) {
            await desk.openOrder(id);
            await desk.doAct("Close", {}, "What you saw at the vendor");
          },
          audit: ["order.close"],
        };
      },
    },
  ],
  cancellation: [
    cancellation({
      title: "is rejected when its vendor never makes it",
      act: "Reject",
      name: "Reject cancellation",
      state: "refused",
    }),
    cancellation({
      title: "is completed when it was made in the vendor's console",
      act: "Complete",
      name: "Complete cancellation",
      reason: "What you saw at the vendor",
      state: "refund_requested",
    }),
  ],
  payment: [
    {
      title: "is refunded when it was a double payment",
      async make(world) {
        const order = await paidOrder(world.stack);
        await world.controls.pay({ orderId: order.providerOrderId });
        return {
          row: orderNumber(await fulfilmentOf(world, order.id)),
          async end(desk) {
            await desk.openOrder(order.id);
            await desk.openAct("Refund");
            const surplus = desk.field("Payment").locator("option", { hasText: "unused" });
            await desk.field("Payment").selectOption((await surplus.getAttribute("value")) ?? "");
            await desk.field("Reason").fill(desk.reason);
            await desk.refund();
            await expect(desk.page.locator("[data-notice]")).toContainText("is being refunded");
          },
          audit: ["order.refund"],
        };
      },
    },
  ],
  refund: [
    {
      title: "is dismissed once a returned refund is paid another way",
      async make(world) {
        const { controls } = world;
        const order = await paidOrder(world.stack);
        await controls.refunds({ answer: "pending" });
        const refundId = await controls.refund({ paymentId: await paymentOf(world, order), amount: 1_000 });
        // One that failed before the store learned of it does not create a work item.
        await until("it is known", async () => {
          const known = await world.context.db
            .selectFrom("refunds")
            .select("id")
            .where("provider_refund_id", "=", refundId)
            .executeTakeFirst();
          return known !== undefined;
        });
        await controls.refund({ refundId, status: "failed" });
        await controls.refunds({});
        const row = orderNumber(await fulfilmentOf(world, order.id));
        return {
          row,
          end: (desk) => desk.doInList(row, "Mark as resolved", "Mark as resolved", "What was done"),
          audit: ["item.done"],
        };
      },
    },
  ],
  dispute: [
    {
      title: "is claimed until the bank has decided",
      async make(world) {
        const { controls } = world;
        const order = await paidOrder(world.stack);
        const disputeId = await controls.dispute({ paymentId: await paymentOf(world, order) });
        const row = orderNumber(await fulfilmentOf(world, order.id));
        return {
          row,
          async end(desk) {
            await taken(desk, row);
            await controls.dispute({ disputeId, event: "won" });
          },
          audit: ["item.take"],
        };
      },
    },
  ],
  document: [
    {
      title: "is registered again after the portal refused it",
      async make(world) {
        const { order, state } = await refusedInvoice(world, "3028", "GSTIN is not valid");
        return {
          row: orderNumber(await fulfilmentOf(world, order.id)),
          async end(desk) {
            await desk.openOrder(order.id);
            await desk.doAct("Register a document again", {}, right);
            await until("it is registered", async () => (await state()) === "final");
          },
          audit: ["document.retry"],
        };
      },
    },
    {
      title: "is corrected, registered and mailed after the portal refused its legal name",
      async make(world) {
        const { context } = world;
        const { order, state } = await refusedInvoice(world, "5002", "BuyerDtls.LglNm: Invalid");
        const row = orderNumber(await fulfilmentOf(world, order.id));
        return {
          row,
          async end(desk) {
            await desk.page.goto(paths.desk());
            const legalName = "Bright Orchard Software Private Limited";
            const fields = { "Legal name in the register (optional)": legalName };
            await desk.doInList(
              row,
              "Correct and register",
              "Correct and register",
              correctionReason,
              fields,
            );
            await until("it is registered", async () => (await state()) === "final");
            const { body } = await context.db
              .selectFrom("e_invoices")
              .select("body")
              .where("order_id", "=", order.id)
              .executeTakeFirstOrThrow();
            expect(body).toMatchObject({ BuyerDtls: { LglNm: legalName } });
            await until("it is mailed", async () => {
              const mails = context.db.selectFrom("mails").select("sent_at").where("order_id", "=", order.id);
              return (await mails.where("kind", "=", "invoice-ready").executeTakeFirst())?.sent_at != null;
            });
          },
          audit: ["document.correct"],
        };
      },
    },
  ],
  "vendor-pause": [
    {
      title: "ends after a check shows that the vendor accepts orders again",
      async make(world) {
        const { stack, controls } = world;
        const order = await paidOrder(stack);
        await controls.faults(faultAt("make customer", "refuse", { status: 401, code: "900420" }), {
          match: { method: "GET", path: "/relationshiprequests" },
          kind: "500",
        });
        await answerSignInNewTenant(order, { prefix: freshPrefix("stuck") });
        const row = "Vendor paused";
        return {
          row,
          async end(desk) {
            await desk.doInList(row, "Check again now", "Check again now", right);
            await controls.faults();
            await reaches(world, order.id, "done");
          },
          audit: ["vendor.probe"],
        };
      },
    },
  ],
  event: [
    {
      title: "is marked as resolved when it cannot be read",
      async make({ context: { db } }) {
        const problem = `The refund ${newId().slice(0, 8)} can't be read: amount.`;
        await db
          .insertInto("provider_events")
          .values({
            provider: "razorpay",
            account: "IN",
            event_id: newId(),
            type: "refund.processed",
            payload: "{}",
            processed_at: new Date(),
            state: "unreadable",
            problem,
          })
          .execute();
        return {
          row: problem,
          end: (desk) => desk.doInList(problem, "Mark as resolved", "Mark as resolved", "What was done"),
          audit: ["item.done"],
        };
      },
    },
  ],
  "password-mail": [
    {
      title: "is requested again once its address is correct",
      async make({ context: { db } }) {
        const recipient = `locked-out-${newId().slice(0, 8)}@example.com`;
        const refused = newId<MailId>();
        const mail = { recipient, user_id: null, order_id: null, data: "{}", last_error: "550 user unknown" };
        await db
          .insertInto("mails")
          .values([
            {
              ...mail,
              id: refused,
              kind: "order-delayed",
              dedupe_key: newId(),
              sent_at: null,
              refused_at: new Date(),
            },
            {
              ...mail,
              id: newId<MailId>(),
              kind: "reset-password",
              dedupe_key: newId(),
              sent_at: null,
              refused_at: new Date(),
              withheld: true,
            },
          ])
          .execute();
        await db
          .insertInto("mail_suppressions")
          .values({ email: recipient, reason: "550 user unknown", mail_id: refused })
          .execute();
        return {
          row: recipient,
          end: (desk) =>
            desk.doInList(
              recipient,
              "Lift the suppression",
              "Lift the suppression",
              "Why the address is valid",
            ),
          audit: ["mail-suppression.lifted"],
        };
      },
    },
  ],
  mail: [
    {
      title: "is sent again and dismissed after an address refused it",
      async make({ stack, context }) {
        const { id } = await paidOrder(stack);
        const recipient = `gone-${newId().slice(0, 8)}@example.com`;
        await context.db
          .insertInto("mails")
          .values({
            id: newId<MailId>(),
            kind: "order-delayed",
            dedupe_key: newId(),
            recipient,
            user_id: null,
            order_id: id,
            data: JSON.stringify({ said: "It waits." }),
            sent_at: null,
            refused_at: new Date(),
            last_error: "550 no such mailbox",
          })
          .execute();
        return {
          row: recipient,
          async end(desk) {
            await desk.openOrder(id);
            await desk.openAct("Resend an email");
            const refused = desk.field("Email").locator("option", { hasText: recipient });
            await desk.field("Email").selectOption((await refused.getAttribute("value")) ?? "");
            await desk.field("Reason").fill(desk.reason);
            await desk.act("Resend an email");
            await expect(desk.page.locator("[data-notice]")).toContainText("queued to resend");
            await desk.page.goto(paths.desk({ kind: "mail" }));
            await desk.doInList(recipient, "Mark as resolved", "Mark as resolved", "What was done");
          },
          audit: ["mail.resent", "item.done"],
        };
      },
    },
  ],
  difference: [
    {
      title: "is acknowledged when it is correct as it is",
      async make({ context }) {
        const what = `Payment ${newId().slice(0, 8)} is missing in the payouts`;
        await context.db
          .insertInto("money_differences")
          .values({
            key: `payment:${newId()}`,
            kind: "test",
            amount_minor: 100,
            currency: "INR",
            what,
            resolved_at: null,
            told_at: null,
            acknowledged_at: null,
            acknowledged_because: null,
          })
          .execute();
        return {
          row: what,
          end: (desk) => desk.doInList(what, "Acknowledge", "Acknowledge discrepancy"),
          audit: ["difference.acknowledge"],
        };
      },
    },
  ],
};

const password = "correct horse battery";

async function makeAdmin({ context }: World): Promise<string> {
  const email = `staff-${newId()}@example.com`;
  await context.pool.query(
    "insert into staff (id, email, role, password_hash) values ($1, $2, 'admin', $3)",
    [newId(), email, await hashPassword(password)],
  );
  return email;
}

test.beforeEach(({ world }) => world.controls.faults());

for (const kind of workItemKinds)
  for (const { title, make } of stories[kind])
    test(`${kind}: ${title}`, async ({ page, world, expectAccessible }) => {
      const { row, end, audit } = await make(world);
      const admin = await makeAdmin(world);
      const desk = new Operator(page);
      const list = paths.desk({ kind });
      await page.goto(list);
      await desk.signIn(admin, password);
      // Navigating now would abort a sign-in that is not answered yet.
      await expect(page.getByRole("heading", { name: "Sign in to Desk" })).toHaveCount(0);
      await expect(async () => {
        await page.goto(list);
        await expect(desk.row(row)).toHaveCount(1, { timeout: 500 });
      }).toPass();
      await expectAccessible();

      await end(desk);
      await expect(async () => {
        await page.goto(list);
        await expect(desk.row(row)).toHaveCount(0, { timeout: 500 });
      }).toPass();

      await page.goto(paths.deskAudit({ staff: admin }));
      for (const action of audit) {
        await expect(desk.row(action)).toHaveCount(1);
        if (action !== "item.take") await expect(desk.row(action)).toContainText(desk.reason);
      }
    });

test("every kind has a story", () => {
  for (const kind of workItemKinds) expect(stories[kind].length, kind).toBeGreaterThan(0);
});
