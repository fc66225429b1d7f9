/**
 * Razorpay's payment links: created, found and cancelled through the API, with its own messages for refusals, and paid on their
 * page under `/razorpay/i`, which returns to the store with a signed URL.
 */
import { createHmac } from "node:crypto";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { html, page } from "../html.ts";
import { anyOrigin, type JsonObject, originOf, readForm, shortId } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayPayment, RazorpayPaymentLink } from "../state-schemas.ts";
import { accountIn } from "./accounts.ts";
import { base, type Call, notesIn, parse, RazorpayError, routesOf } from "./api.ts";
import { formatAmount } from "./checkout.ts";
import * as ledger from "./ledger.ts";

const soonestExpirySeconds = 15 * 60;
const latestExpirySeconds = 184 * 24 * 60 * 60;
const minAmountMinor: Readonly<Record<string, number>> = { INR: 100, USD: 50 };

const noExtraFields = (issue: { code?: string }) =>
  issue.code === "unrecognized_keys" ? "extra fields sent." : undefined;

const newLink = z
  .strictObject(
    {
      amount: z
        .number("amount: cannot be blank.")
        .int("amount, should be a whole number for e.g. 2234 to create a payment link for INR 22.34."),
      currency: z
        .string()
        .refine(
          (code) => Object.hasOwn(minAmountMinor, code),
          "currency: wrong input field, please find the list of supported currencies on the documentation.",
        )
        .default("INR"),
      accept_partial: z.literal(false).optional(),
      reference_id: z
        .string()
        .max(40, "reference_id: the length must be no more than 40.")
        .default(() => shortId("")),
      description: z.string().max(2048).default(""),
      customer: z
        .strictObject(
          {
            name: z
              .string("customer name is a mandatory field.")
              .min(3, "name: the length must be between 3 and 50.")
              .max(50, "name: the length must be between 3 and 50.")
              .regex(/^[A-Za-z0-9 .'/@()]+$/, "The name format is invalid."),
            email: z.email("email: must be in a valid format for e.g. abcxyz@domain.com.").optional(),
            contact: z
              .string()
              .min(8, "contact: the length must be between 8 and 14.")
              .max(14, "contact: the length must be between 8 and 14.")
              .optional(),
          },
          { error: noExtraFields },
        )
        .optional(),
      notify: z.strictObject({ sms: z.boolean(), email: z.boolean() }, { error: noExtraFields }).optional(),
      reminder_enable: z.boolean().optional(),
      notes: z
        .record(z.string(), z.string().max(255, "value: the length must not be greater than 255."))
        .optional(),
      callback_url: z.url("callback_url: URL should be sent in callback_url field.").optional(),
      callback_method: z.literal("get", "callback_method: must be a valid value.").optional(),
      expire_by: z.int("incorrect JSON object received - faulty key: expire_by.").optional(),
    },
    { error: noExtraFields },
  )
  .refine(
    ({ callback_url: url, callback_method: method }) => (url === undefined) === (method === undefined),
    {
      error: "callback_method: must be a valid value.",
    },
  )
  .refine(({ amount, currency }) => amount >= (minAmountMinor[currency] ?? 0), {
    error: "amount: amount should be minimum 100 for INR.",
  })
  .refine((input) => !ledger.isAboveCeiling("card", input), { error: ledger.aboveCeiling });

export function paymentLinkHandlers(sandbox: Sandbox): HttpHandler[] {
  const route = routesOf(sandbox);
  const links = () => Object.values(sandbox.state.razorpay.paymentLinks);
  return [
    http.post(
      anyOrigin(`${base}/payment_links`),
      route(({ account, body, request }) => {
        const input = parse(newLink, body);
        const now = sandbox.seconds();
        if (input.expire_by !== undefined && input.expire_by <= now + soonestExpirySeconds)
          throw new RazorpayError("timestamp must be atleast 15 minutes in future");
        if (input.expire_by !== undefined && input.expire_by > now + latestExpirySeconds)
          throw new RazorpayError("expire_by cannot exceed more than six months from the date of creation");
        const isTaken = links().some(
          (each) => each.account === account.country && each.reference_id === input.reference_id,
        );
        if (isTaken) throw new RazorpayError("payment link creation with reference ID already attempted");
        const { amount, currency, reference_id } = input;
        const order = ledger.createOrder(sandbox, {
          account: account.country,
          amount,
          currency,
          receipt: reference_id,
          notes: notesIn(input.notes),
          capture: "automatic",
        });
        const made: RazorpayPaymentLink = {
          id: shortId("plink_"),
          account: account.country,
          order_id: order.id,
          amount,
          currency,
          reference_id,
          description: input.description,
          customer: input.customer ?? {},
          notes: notesIn(input.notes),
          callback_url: input.callback_url ?? "",
          expire_by: input.expire_by ?? now + latestExpirySeconds,
          cancelled_at: 0,
          created_at: now,
        };
        sandbox.state.razorpay.paymentLinks[made.id] = made;
        sandbox.count("razorpay.payment_link.create");
        return linkEntity(sandbox, made, originOf(request));
      }),
    ),
    // Razorpay's only list that is not called items.
    http.get(
      anyOrigin(`${base}/payment_links`),
      route(({ account, request }) => {
        const reference = new URL(request.url).searchParams.get("reference_id");
        const found = links()
          .filter((each) => each.account === account.country)
          .filter((each) => reference === null || each.reference_id === reference)
          .reverse();
        return { payment_links: found.map((each) => linkEntity(sandbox, each, originOf(request))) };
      }),
    ),
    http.get(
      anyOrigin(`${base}/payment_links/:id`),
      route((call) => linkEntity(sandbox, linkOf(call), originOf(call.request))),
    ),
    http.post(
      anyOrigin(`${base}/payment_links/:id/cancel`),
      route((call) => {
        const link = linkOf(call);
        switch (statusOf(sandbox, link)) {
          case "paid":
            throw new RazorpayError("cannot cancel or expire an already paid/partially paid link");
          case "created":
            break;
          default:
            throw new RazorpayError("cannot cancel or expire an expired link");
        }
        link.cancelled_at = sandbox.seconds();
        sandbox.count("razorpay.payment_link.cancel");
        return linkEntity(sandbox, link, originOf(call.request));
      }),
    ),
    http.get(anyOrigin("/razorpay/i/:id"), ({ params }) => {
      const link = sandbox.state.razorpay.paymentLinks[`plink_${String(params.id)}`];
      if (link === undefined)
        return HttpResponse.html(deadPage("This payment link does not exist."), { status: 404 });
      return HttpResponse.html(linkPage(sandbox, link));
    }),
    http.post(anyOrigin("/razorpay/i/:id"), async ({ params, request }) => {
      const link = sandbox.state.razorpay.paymentLinks[`plink_${String(params.id)}`];
      if (link === undefined || statusOf(sandbox, link) !== "created")
        return HttpResponse.html(deadPage("This payment link can no longer be paid."), { status: 400 });
      const fields = await readForm(request);
      const isDeclined = fields.get("action") === "decline";
      const payment = payLink(sandbox, link, { isDeclined, method: fields.get("chosen") });
      await sandbox.save();
      if (isDeclined) return HttpResponse.html(linkPage(sandbox, link, ledger.declinedPayment.description));
      return new HttpResponse(null, {
        status: 303,
        headers: { location: returnAddress(sandbox, link, payment) },
      });
    }),
  ];

  function linkOf({ account, params }: Call): RazorpayPaymentLink {
    const found = sandbox.state.razorpay.paymentLinks[String(params.id)];
    if (found?.account !== account.country) throw new RazorpayError("The id provided does not exist");
    return found;
  }
}

/**
 * Pays without checking whether the link can still be paid: a payment that began in time is captured later, and /control makes it
 * so.
 */
export function payLink(
  sandbox: Sandbox,
  link: RazorpayPaymentLink,
  {
    method,
    isDeclined = false,
    webhook = true,
  }: { method?: string | undefined; isDeclined?: boolean; webhook?: boolean },
): RazorpayPayment {
  const order = sandbox.state.razorpay.orders[link.order_id];
  if (order === undefined) throw new Error(`The link ${link.id} has no order`);
  const payment = ledger.pay(sandbox, order, {
    status: isDeclined ? "failed" : "captured",
    method,
    email: link.customer.email,
    contact: link.customer.contact,
    webhook,
  });
  if (isDeclined || !webhook) return payment;
  ledger.send(sandbox, link.account, "payment_link.paid", {
    payment_link: { entity: linkEntity(sandbox, link, "") },
    order: { entity: ledger.orderEntity(order) },
    payment: { entity: ledger.paymentEntity(payment) },
  });
  return payment;
}

/** The address to which the browser returns after a payment. */
export function returnAddress(sandbox: Sandbox, link: RazorpayPaymentLink, payment: RazorpayPayment): string {
  const { keySecret } = accountIn(sandbox, link.account);
  const status = "paid";
  const signed = `${link.id}|${link.reference_id}|${status}|${payment.id}`;
  const address = new URL(link.callback_url === "" ? "about:blank" : link.callback_url);
  const added = {
    razorpay_payment_id: payment.id,
    razorpay_payment_link_id: link.id,
    razorpay_payment_link_reference_id: link.reference_id,
    razorpay_payment_link_status: status,
    razorpay_signature: createHmac("sha256", keySecret).update(signed).digest("hex"),
  };
  for (const [name, value] of Object.entries(added)) address.searchParams.set(name, value);
  return address.href;
}

function statusOf(sandbox: Sandbox, link: RazorpayPaymentLink): "created" | "paid" | "cancelled" | "expired" {
  if (sandbox.state.razorpay.orders[link.order_id]?.status === "paid") return "paid";
  if (link.cancelled_at > 0) return "cancelled";
  return link.expire_by <= sandbox.seconds() ? "expired" : "created";
}

/** @param origin the sandbox's address */
function linkEntity(sandbox: Sandbox, link: RazorpayPaymentLink, origin: string): JsonObject {
  const { account: _account, order_id, notes, ...rest } = link;
  const status = statusOf(sandbox, link);
  const captured = ledger
    .paymentsOf(sandbox, order_id)
    .filter((payment) => payment.status === "captured" || payment.status === "refunded");
  return {
    ...rest,
    accept_partial: false,
    amount_paid: status === "paid" ? link.amount : 0,
    callback_method: link.callback_url === "" ? "" : "get",
    expired_at: status === "expired" ? link.expire_by : 0,
    first_min_partial_amount: 0,
    notes: ledger.notesOf(notes),
    notify: { email: false, sms: false },
    order_id,
    payments: captured.map((payment) => ({
      amount: payment.amount,
      created_at: payment.created_at,
      method: payment.method,
      payment_id: payment.id,
      plink_id: link.id,
      status: "captured",
      updated_at: payment.created_at,
    })),
    reminder_enable: false,
    reminders: [],
    short_url: `${origin === "" ? "https://rzp.io" : `${origin}/razorpay`}/i/${link.id.slice("plink_".length)}`,
    status,
    updated_at: link.created_at,
    upi_link: false,
    user_id: "",
    whatsapp_link: false,
  };
}

function linkPage(sandbox: Sandbox, link: RazorpayPaymentLink, problem?: string): string {
  switch (statusOf(sandbox, link)) {
    case "paid":
      return deadPage("This payment link has already been paid.");
    case "cancelled":
      return deadPage("This payment link has been cancelled.");
    case "expired":
      return deadPage("This payment link has expired.");
    case "created":
      break;
  }
  const payable = ledger.methods.filter((method) => !ledger.isAboveCeiling(method, link));
  return page({
    title: "Payment link (sandbox)",
    body: html`<h1>Payment link</h1>
<p class="note">Sandbox: no money moves. ${link.description}</p>
${problem === undefined ? undefined : html`<p class="failed">${problem}</p>`}
<p class="amount">${formatAmount(link.amount, link.currency)}</p>
<form method="post">
<fieldset><legend>Payment methods</legend>
${payable.map(
  (method, index) => html`<label class="choice">
<input type="radio" name="chosen" value="${method}"${index === 0 ? html` checked` : undefined}> ${method}</label>\n`,
)}</fieldset>
<div class="buttons">
<button class="button main" name="action" value="pay">Pay</button>
<button class="button" name="action" value="decline">Decline</button>
</div>
</form>`,
  });
}

function deadPage(why: string): string {
  return page({
    title: "Payment not possible",
    body: html`<h1>Payment not possible</h1>
<p class="failed">${why}</p>`,
  });
}
