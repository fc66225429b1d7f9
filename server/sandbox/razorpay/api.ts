/** Razorpay's API under `/razorpay/v1`: orders, payments, capture and refund, behind Basic authentication. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayOrder, RazorpayPayment } from "../state.ts";
import { at, type JsonObject, readJson } from "../wire.ts";
import { accountOfCall, type RazorpayAccount } from "./accounts.ts";
import * as ledger from "./ledger.ts";

class Refusal extends Error {
  readonly status: number;
  readonly field: string | undefined;
  constructor(description: string, options: { status?: number; field?: string } = {}) {
    super(description);
    this.status = options.status ?? 400;
    this.field = options.field;
  }
}

const base = "/razorpay/v1";
const notes = z
  .record(z.string(), z.coerce.string().max(256))
  .refine((all) => Object.keys(all).length <= 15, "at most 15");

/** The least of an order, in minor units of its currency. */
const leastOrder: Readonly<Record<string, number>> = { INR: 100, USD: 50, AED: 200 };

const newOrder = z
  .object({
    amount: z.int("The amount must be an integer."),
    currency: z.string().refine((code) => Object.hasOwn(leastOrder, code), "Currency is not supported"),
    receipt: z.string().max(40, "The receipt may not be greater than 40 characters.").nullish(),
    // The SDK sends an empty list for no notes.
    notes: z.union([notes, z.array(z.never())]).optional(),
    payment: z.object({ capture: z.enum(["automatic", "manual"]) }).optional(),
  })
  .refine(({ amount, currency }) => amount >= (leastOrder[currency] ?? 0), {
    error: "Order amount less than minimum amount allowed",
    path: ["amount"],
  });
const newCapture = z.object({ amount: z.int(), currency: z.string().default("INR") });
const newRefund = z.object({
  amount: z.int().min(100, "The amount must be atleast INR 1.00").optional(),
  notes: z.union([notes, z.array(z.never())]).optional(),
  receipt: z.string().nullish(),
});

export function razorpayApiHandlers(sandbox: Sandbox): HttpHandler[] {
  type Params = Readonly<Record<string, string | readonly string[] | undefined>>;
  interface Call {
    account: RazorpayAccount;
    request: Request;
    params: Params;
    body: unknown;
  }

  /** Authenticates, turns a refusal into Razorpay's error, and has the effect on disk before the answer leaves. */
  function route(act: (call: Call) => JsonObject) {
    return async ({ request, params }: { request: Request; params: Params }) => {
      const account = accountOfCall(sandbox, request);
      if (account === undefined) return errorResponse(new Refusal("Authentication failed", { status: 401 }));
      try {
        const writes = request.method !== "GET";
        const answer = act({ account, request, params, body: writes ? await readJson(request) : undefined });
        if (writes) await sandbox.save();
        return HttpResponse.json(answer);
      } catch (error) {
        if (error instanceof Refusal) return errorResponse(error);
        if (error instanceof SyntaxError) return errorResponse(new Refusal("The request body is not JSON."));
        throw error;
      }
    };
  }

  return [
    http.post(
      at(`${base}/orders`),
      route(({ account, body }) => {
        const asked = parse(newOrder, body);
        const order = ledger.createOrder(sandbox, {
          account: account.country,
          amount: asked.amount,
          currency: asked.currency,
          receipt: asked.receipt ?? null,
          notes: notesIn(asked.notes),
          capture: asked.payment?.capture ?? "automatic",
        });
        return ledger.orderEntity(order);
      }),
    ),
    http.get(
      at(`${base}/orders`),
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
      at(`${base}/orders/:id`),
      route((call) => ledger.orderEntity(orderOf(call))),
    ),
    http.get(
      at(`${base}/orders/:id/payments`),
      route((call) => {
        const payments = ledger.paymentsOf(sandbox, orderOf(call).id).reverse();
        return collection(payments.map(ledger.paymentEntity), new URL(call.request.url).searchParams);
      }),
    ),
    http.get(
      at(`${base}/payments/:id`),
      route((call) => ledger.paymentEntity(paymentOf(call))),
    ),
    http.post(
      at(`${base}/payments/:id/capture`),
      route((call) => {
        const payment = paymentOf(call);
        const asked = parse(newCapture, call.body);
        if (payment.status === "captured") throw new Refusal("This payment has already been captured");
        if (payment.status !== "authorized") {
          throw new Refusal("Only payments which have been authorized and not yet captured can be captured");
        }
        if (asked.amount !== payment.amount || asked.currency !== payment.currency) {
          throw new Refusal("Capture amount must be equal to the amount authorized", { field: "amount" });
        }
        ledger.capture(sandbox, payment);
        sandbox.count("razorpay.payment.capture");
        return ledger.paymentEntity(payment);
      }),
    ),
    http.post(
      at(`${base}/payments/:id/refund`),
      route((call) => {
        const { body, request } = call;
        const payment = paymentOf(call);
        const asked = parse(newRefund, body ?? {});
        const key = request.headers.get("x-refund-idempotency");
        if (key !== null && key.length < 10)
          throw new Refusal("The idempotency key must be at least 10 characters.");
        const amount = asked.amount ?? payment.amount - payment.amount_refunded;
        const earlier = Object.values(sandbox.state.razorpay.refunds).find(
          (each) => key !== null && each.idempotencyKey === key && each.payment_id === payment.id,
        );
        if (earlier !== undefined) {
          if (asked.amount !== undefined && asked.amount !== earlier.amount) {
            throw new Refusal("Different request body sent with the same idempotency key.");
          }
          sandbox.count("razorpay.refund.replayed");
          return ledger.refundEntity(earlier);
        }
        if (payment.status === "refunded") throw new Refusal("The payment has been fully refunded already");
        if (payment.status !== "captured")
          throw new Refusal("The payment status should be captured for action to be taken");
        if (amount > payment.amount - payment.amount_refunded) {
          throw new Refusal("The total refund amount is greater than the refund payment amount", {
            field: "amount",
          });
        }
        return ledger.refundEntity(
          ledger.refund(sandbox, payment, {
            amount,
            notes: notesIn(asked.notes),
            receipt: asked.receipt ?? null,
            idempotencyKey: key,
          }),
        );
      }),
    ),
  ];

  function orderOf({ account, params }: Call): RazorpayOrder {
    const order = sandbox.state.razorpay.orders[String(params.id)];
    if (order?.account !== account.country) throw new Refusal("The id provided does not exist");
    return order;
  }

  function paymentOf({ account, params }: Call): RazorpayPayment {
    const payment = sandbox.state.razorpay.payments[String(params.id)];
    if (payment === undefined || ledger.accountOf(sandbox, payment) !== account.country)
      throw new Refusal("The id provided does not exist");
    return payment;
  }
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw new Refusal(issue?.message ?? "The request is not valid.", field === "" ? {} : { field });
}

function notesIn(given: Record<string, string> | never[] | undefined): Record<string, string> {
  return given === undefined || Array.isArray(given) ? {} : given;
}

function collection(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const skip = Number(query.get("skip") ?? 0);
  const page = items.slice(skip, skip + Number(query.get("count") ?? 10));
  return { entity: "collection", count: page.length, items: page };
}

function errorResponse(refusal: Refusal) {
  const { status, message, field } = refusal;
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
