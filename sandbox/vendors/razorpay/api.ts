/** Razorpay's API under `/razorpay/v1`: orders, payments, capture and refund, behind Basic authentication. */

import { isDeepStrictEqual } from "node:util";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { anyOrigin, type JsonObject, readJson } from "../http-helpers.ts";
import type { RazorpayAccount } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayOrder, RazorpayPayment } from "../state-schemas.ts";
import { accountOfCall } from "./accounts.ts";
import * as ledger from "./ledger.ts";
import { disputeEntity, refund, refundEntity } from "./refunds-and-disputes.ts";
import { settledLines } from "./settlements.ts";

export class RazorpayError extends Error {
  readonly status: number;
  readonly field: string | undefined;
  constructor(description: string, options: { status?: number; field?: string } = {}) {
    super(description);
    this.status = options.status ?? 400;
    this.field = options.field;
  }
}

export const base = "/razorpay/v1";
export const notes = z
  .record(z.string(), z.coerce.string().max(256))
  .refine((all) => Object.keys(all).length <= 15, "at most 15");

/** Minimum amount of an order, in minor units of its currency. */
const minOrderMinor: Readonly<Record<string, number>> = { INR: 100, USD: 50, AED: 200 };

const newOrder = z
  .object({
    amount: z.int("The amount must be an integer."),
    currency: z.string().refine((code) => Object.hasOwn(minOrderMinor, code), "Currency is not supported"),
    receipt: z.string().max(40, "The receipt may not be greater than 40 characters.").nullish(),
    // The SDK sends an empty list for no notes.
    notes: z.union([notes, z.array(z.never())]).optional(),
    payment: z.object({ capture: z.enum(["automatic", "manual"]) }).optional(),
  })
  .refine(({ amount, currency }) => amount >= (minOrderMinor[currency] ?? 0), {
    error: "Order amount less than minimum amount allowed",
    path: ["amount"],
  })
  .refine((input) => !ledger.isAboveCeiling("card", input), {
    error: ledger.aboveCeiling,
    path: ["amount"],
  });
const newCapture = z.object({ amount: z.int(), currency: z.string().default("INR") });
const newRefund = z.strictObject({
  amount: z.int().min(100, "The amount must be atleast INR 1.00").optional(),
  speed: z.enum(["normal", "optimum"]).optional(),
  notes: z.union([notes, z.array(z.never())]).optional(),
  receipt: z.string().max(40, "The receipt may not be greater than 40 characters.").nullish(),
});
/** Months after a payment within which a normal refund is accepted. */
const refundMonths = 6;

const settlementDay = z.object({
  year: z.coerce.number().int().min(2015),
  month: z.coerce.number().int().min(1).max(12),
  day: z.coerce.number().int().min(1).max(31),
  count: z.coerce.number().int().min(1).max(1000, "The count may not be greater than 1000.").default(10),
  skip: z.coerce.number().int().min(0).default(0),
});

/** Period of a list, in seconds; everything without one. */
const span = z.object({
  from: z.coerce.number().int().min(0).default(0),
  to: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER),
});

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;
export interface Call {
  account: RazorpayAccount;
  request: Request;
  params: Params;
  body: unknown;
}

/** Authenticates, converts a refusal into Razorpay's error format, and saves the effect to disk before the response. */
export function routesOf(sandbox: Sandbox) {
  return (act: (call: Call) => JsonObject) =>
    async ({ request, params }: { request: Request; params: Params }) => {
      const account = accountOfCall(sandbox, request);
      if (account === undefined)
        return errorResponse(new RazorpayError("Authentication failed", { status: 401 }));
      try {
        const writes = request.method !== "GET";
        const answer = act({ account, request, params, body: writes ? await readJson(request) : undefined });
        if (writes) await sandbox.save();
        return HttpResponse.json(answer);
      } catch (error) {
        if (error instanceof RazorpayError) return errorResponse(error);
        if (error instanceof SyntaxError)
          return errorResponse(new RazorpayError("The request body is not JSON."));
        throw error;
      }
    };
}

export function razorpayApiHandlers(sandbox: Sandbox): HttpHandler[] {
  const route = routesOf(sandbox);
  const paymentOf = (call: Call) => paymentIn(sandbox, call);

  return [
    http.post(
      anyOrigin(`${base}/orders`),
      route(({ account, body }) => {
        const input = parse(newOrder, body);
        const order = ledger.createOrder(sandbox, {
          account: account.country,
          amount: input.amount,
          currency: input.currency,
          receipt: input.receipt ?? null,
          notes: notesIn(input.notes),
          capture: input.payment?.capture ?? "automatic",
        });
        return ledger.orderEntity(order);
      }),
    ),
    http.get(
      anyOrigin(`${base}/orders`),
      route(({ account, request }) => {
        const query = new URL(request.url).searchParams;
        const receipt = query.get("receipt");
        const found = Object.values(sandbox.state.razorpay.orders)
          .filter((order) => order.account === account.country)
          .filter((order) => receipt === null || order.receipt === receipt)
          .reverse();
        return collection(found.map(ledger.orderEntity), query);
      }),
    ),
    http.get(
      anyOrigin(`${base}/orders/:id`),
      route((call) => ledger.orderEntity(orderOf(call))),
    ),
    http.get(
      anyOrigin(`${base}/orders/:id/payments`),
      route((call) => {
        const payments = ledger.paymentsOf(sandbox, orderOf(call).id).reverse();
        return collection(payments.map(ledger.paymentEntity), new URL(call.request.url).searchParams);
      }),
    ),
    http.get(
      anyOrigin(`${base}/payments`),
      route(({ account, request }) => {
        const query = new URL(request.url).searchParams;
        const within = parse(span, Object.fromEntries(query));
        const found = Object.values(sandbox.state.razorpay.payments)
          .filter((payment) => ledger.accountOf(sandbox, payment) === account.country)
          .filter((payment) => payment.created_at >= within.from && payment.created_at <= within.to);
        return collection(found.reverse().map(ledger.paymentEntity), query);
      }),
    ),
    http.get(
      anyOrigin(`${base}/refunds`),
      route(({ account, request }) => {
        const query = new URL(request.url).searchParams;
        const within = parse(span, Object.fromEntries(query));
        const { payments, refunds } = sandbox.state.razorpay;
        const found = Object.values(refunds).filter(({ payment_id, created_at }) => {
          const payment = payments[payment_id];
          const isOurs = payment !== undefined && ledger.accountOf(sandbox, payment) === account.country;
          return isOurs && created_at >= within.from && created_at <= within.to;
        });
        return collection(found.reverse().map(refundEntity), query);
      }),
    ),
    http.get(
      anyOrigin(`${base}/disputes`),
      route(({ account, request }) => {
        const query = new URL(request.url).searchParams;
        const within = parse(span, Object.fromEntries(query));
        const { payments, disputes } = sandbox.state.razorpay;
        const found = Object.values(disputes).filter(({ payment_id, created_at }) => {
          const payment = payments[payment_id];
          const isOurs = payment !== undefined && ledger.accountOf(sandbox, payment) === account.country;
          return isOurs && created_at >= within.from && created_at <= within.to;
        });
        return collection(found.reverse().map(disputeEntity), query);
      }),
    ),
    http.get(
      anyOrigin(`${base}/payments/:id`),
      route((call) => ledger.paymentEntity(paymentOf(call))),
    ),
    http.post(
      anyOrigin(`${base}/payments/:id/capture`),
      route((call) => {
        const payment = paymentOf(call);
        const input = parse(newCapture, call.body);
        if (payment.status === "captured") throw new RazorpayError("This payment has already been captured");
        if (payment.status !== "authorized") {
          throw new RazorpayError(
            "Only payments which have been authorized and not yet captured can be captured",
          );
        }
        if (input.amount !== payment.amount || input.currency !== payment.currency) {
          throw new RazorpayError("Capture amount must be equal to the amount authorized", {
            field: "amount",
          });
        }
        ledger.capture(sandbox, payment);
        sandbox.count("razorpay.payment.capture");
        return ledger.paymentEntity(payment);
      }),
    ),
    http.get(
      anyOrigin(`${base}/payments/:id/refunds`),
      route((call) => {
        const { id } = paymentOf(call);
        const made = Object.values(sandbox.state.razorpay.refunds).filter((each) => each.payment_id === id);
        return collection(made.reverse().map(refundEntity), new URL(call.request.url).searchParams);
      }),
    ),
    http.get(
      anyOrigin(`${base}/settlements/recon/combined`),
      route(({ account, request }) => {
        const query = new URL(request.url).searchParams;
        const input = parse(settlementDay, Object.fromEntries(query));
        const two = (part: number) => String(part).padStart(2, "0");
        const day = `${input.year}-${two(input.month)}-${two(input.day)}`;
        return collection(settledLines(sandbox, account.country, day), query);
      }),
    ),
    http.post(
      anyOrigin(`${base}/payments/:id/refund`),
      route((call) => {
        const { body, request } = call;
        const payment = paymentOf(call);
        const input = parse(newRefund, body ?? {});
        const key = request.headers.get("x-refund-idempotency");
        if (key !== null && key.length < 10)
          throw new RazorpayError("The idempotency key must be at least 10 characters.");
        const amount = input.amount ?? payment.amount - payment.amount_refunded;
        const earlier = Object.values(sandbox.state.razorpay.refunds).find(
          (each) => key !== null && each.idempotencyKey === key && each.payment_id === payment.id,
        );
        if (earlier !== undefined) {
          const isSame =
            (input.amount ?? earlier.amount) === earlier.amount &&
            (input.receipt ?? null) === earlier.receipt &&
            isDeepStrictEqual(notesIn(input.notes), earlier.notes);
          if (!isSame) {
            throw new RazorpayError("Different request body sent with the same idempotency key.");
          }
          sandbox.count("razorpay.refund.replayed");
          return refundEntity(earlier);
        }
        if (payment.status === "refunded")
          throw new RazorpayError("The payment has been fully refunded already");
        if (payment.status !== "captured")
          throw new RazorpayError("The payment status should be captured for action to be taken");
        if (amount > payment.amount - payment.amount_refunded) {
          throw new RazorpayError("The total refund amount is greater than the refund payment amount", {
            field: "amount",
          });
        }
        const last = new Date(payment.created_at * 1000);
        last.setUTCMonth(last.getUTCMonth() + refundMonths);
        if (sandbox.now() >= last.getTime())
          throw new RazorpayError("The payment is more than 6 months old, hence it cannot be refunded");
        if (sandbox.refundMode.balance === "low") {
          throw new RazorpayError(
            "Your account does not have enough balance to carry out the refund operation. You can add funds to your account from your Razorpay dashboard or capture new payments.",
          );
        }
        return refundEntity(
          refund(sandbox, payment, {
            amount,
            notes: notesIn(input.notes),
            receipt: input.receipt ?? null,
            idempotencyKey: key,
          }),
        );
      }),
    ),
  ];

  function orderOf({ account, params }: Call): RazorpayOrder {
    const order = sandbox.state.razorpay.orders[String(params.id)];
    if (order?.account !== account.country) throw new RazorpayError("The id provided does not exist");
    return order;
  }
}

/** The payment that a call names, if it belongs to its account. @throws Refusal */
export function paymentIn(sandbox: Sandbox, { account, params }: Call): RazorpayPayment {
  const payment = sandbox.state.razorpay.payments[String(params.id)];
  if (payment === undefined || ledger.accountOf(sandbox, payment) !== account.country)
    throw new RazorpayError("The id provided does not exist");
  return payment;
}

export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw new RazorpayError(issue?.message ?? "The request is not valid.", field === "" ? {} : { field });
}

export function notesIn(given: Record<string, string> | never[] | undefined): Record<string, string> {
  return given === undefined || Array.isArray(given) ? {} : given;
}

export function collection(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const skip = Number(query.get("skip") ?? 0);
  const page = items.slice(skip, skip + Number(query.get("count") ?? 10));
  return { entity: "collection", count: page.length, items: page };
}

function errorResponse(error: RazorpayError) {
  const { status, message, field } = error;
  return HttpResponse.json(
    {
      error: {
        code: "BAD_REQUEST_ERROR",
        description: message,
        source: status === 401 ? "NA" : "business",
        step: status === 401 ? "NA" : "payment_initiation",
        reason: status === 401 ? "NA" : "input_validation_failed",
        metadata: {},
        ...(field === undefined ? {} : { field }),
      },
    },
    { status },
  );
}
