/** Razorpay's virtual accounts: opened through the API, paid into by the bank (bank.ts), closed at the requested time. */
import { randomInt } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { anyOrigin, type JsonObject, shortId } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayPayment, RazorpayVirtualAccount } from "../state-schemas.ts";
import {
  base,
  type Call,
  collection,
  notes,
  notesIn,
  parse,
  paymentIn,
  RazorpayError,
  routesOf,
} from "./api.ts";
import { paymentEntity, send } from "./ledger.ts";
import { refund } from "./refunds-and-disputes.ts";

/** The fifth character of an IFSC is a zero. */
export const sandboxIfsc = "RATN0VAAPIS";
const beneficiary = "Hubs";
const soonestCloseSeconds = 15 * 60;

const newAccount = z.object({
  receivers: z.object({
    types: z.array(z.literal("bank_account", "The receiver type is invalid.")).min(1),
  }),
  description: z.string().max(2048).default(""),
  customer_id: z.string().optional(),
  notes: z.union([notes, z.array(z.never())]).optional(),
  close_by: z.int().optional(),
});

export function virtualAccountHandlers(sandbox: Sandbox): HttpHandler[] {
  const route = routesOf(sandbox);
  return [
    http.post(
      anyOrigin(`${base}/virtual_accounts`),
      route(({ account, body }) => {
        const input = parse(newAccount, body);
        if (input.close_by !== undefined && input.close_by < sandbox.seconds() + soonestCloseSeconds) {
          throw new RazorpayError("close_by should be at least 15 minutes after current time", {
            field: "close_by",
          });
        }
        const made: RazorpayVirtualAccount = {
          id: shortId("va_"),
          account: account.country,
          description: input.description,
          notes: notesIn(input.notes),
          number: `2223${String(randomInt(10 ** 12)).padStart(12, "0")}`,
          close_by: input.close_by ?? null,
          amount_paid: 0,
          created_at: sandbox.seconds(),
        };
        sandbox.state.razorpay.virtualAccounts[made.id] = made;
        sandbox.count("razorpay.virtual_account.create");
        return accountEntity(sandbox, made);
      }),
    ),
    http.get(
      anyOrigin(`${base}/virtual_accounts`),
      route(({ account, request }) => {
        const all = Object.values(sandbox.state.razorpay.virtualAccounts)
          .filter((each) => each.account === account.country)
          .reverse();
        return collection(
          all.map((each) => accountEntity(sandbox, each)),
          new URL(request.url).searchParams,
        );
      }),
    ),
    http.get(
      anyOrigin(`${base}/virtual_accounts/:id`),
      route((call) => accountEntity(sandbox, accountOf(call))),
    ),
    http.get(
      anyOrigin(`${base}/virtual_accounts/:id/payments`),
      route((call) => {
        const { id } = accountOf(call);
        const credits = Object.values(sandbox.state.razorpay.payments).filter(
          ({ transfer }) => transfer?.accountId === id,
        );
        return collection(credits.reverse().map(paymentEntity), new URL(call.request.url).searchParams);
      }),
    ),
    http.get(
      anyOrigin(`${base}/payments/:id/bank_transfer`),
      route((call) => {
        const payment = paymentIn(sandbox, call);
        if (payment.transfer === undefined) throw new RazorpayError("The id provided does not exist");
        return transferEntity(payment, payment.transfer);
      }),
    ),
  ];

  function accountOf({ account, params }: Call): RazorpayVirtualAccount {
    const found = sandbox.state.razorpay.virtualAccounts[String(params.id)];
    if (found?.account !== account.country) throw new RazorpayError("The id provided does not exist");
    return found;
  }
}

export function isClosed(sandbox: Sandbox, { close_by }: RazorpayVirtualAccount): boolean {
  return close_by !== null && close_by <= sandbox.seconds();
}

/** Credits an account, in paise: already captured, and without an order. A credit to a closed account is refunded at once. */
export function credit(
  sandbox: Sandbox,
  account: RazorpayVirtualAccount,
  given: { amount: number; utr?: string | undefined; webhook?: boolean | undefined },
): RazorpayPayment {
  const transfer = {
    accountId: account.id,
    utr: given.utr ?? `SANDBOX${String(randomInt(10 ** 9)).padStart(9, "0")}`,
    mode: given.amount >= 200_000_00 ? ("RTGS" as const) : ("NEFT" as const),
  };
  const payment: RazorpayPayment = {
    id: shortId("pay_"),
    order_id: null,
    transfer,
    amount: given.amount,
    currency: "INR",
    status: "captured",
    method: "bank_transfer",
    email: null,
    contact: null,
    description: account.description,
    amount_refunded: 0,
    created_at: sandbox.seconds(),
  };
  sandbox.state.razorpay.payments[payment.id] = payment;
  sandbox.count("razorpay.virtual_account.credit");
  if (isClosed(sandbox, account)) {
    refund(sandbox, payment, { amount: payment.amount, notes: {}, receipt: null, idempotencyKey: null });
    return payment;
  }
  account.amount_paid += payment.amount;
  if (given.webhook === false) return payment;
  send(sandbox, account.account, "virtual_account.credited", {
    payment: { entity: paymentEntity(payment) },
    virtual_account: { entity: accountEntity(sandbox, account) },
    bank_transfer: { entity: transferEntity(payment, transfer) },
  });
  return payment;
}

function accountEntity(sandbox: Sandbox, account: RazorpayVirtualAccount): JsonObject {
  const { number, account: _country, notes: given, ...rest } = account;
  return {
    ...rest,
    entity: "virtual_account",
    name: beneficiary,
    status: isClosed(sandbox, account) ? "closed" : "active",
    notes: Object.keys(given).length === 0 ? [] : given,
    amount_expected: null,
    customer_id: null,
    receivers: [
      {
        id: `ba_${account.id.slice(3)}`,
        entity: "bank_account",
        ifsc: sandboxIfsc,
        bank_name: "RBL Bank",
        name: beneficiary,
        notes: [],
        account_number: number,
      },
    ],
  };
}

function transferEntity(
  payment: RazorpayPayment,
  { accountId, utr, mode }: NonNullable<RazorpayPayment["transfer"]>,
): JsonObject {
  return {
    id: `bt_${payment.id.slice(4)}`,
    entity: "bank_transfer",
    payment_id: payment.id,
    mode,
    bank_reference: utr,
    amount: payment.amount,
    payer_bank_account: {
      id: "ba_SandboxPayer01",
      entity: "bank_account",
      ifsc: "HDFC0000001",
      bank_name: "HDFC Bank",
      name: "Acme Tools",
      account_number: "765432123456789",
    },
    virtual_account_id: accountId,
  };
}
