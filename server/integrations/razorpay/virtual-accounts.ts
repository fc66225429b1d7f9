/**
 * Razorpay's virtual accounts: a separate bank account for each order, to which a buyer sends NEFT, RTGS or IMPS
 * (docs/providers.md, section 3.5).
 */
import { z } from "zod";
import { headerLine } from "#server/foundation/single-line.ts";
import { parseResponse, pathOf } from "../http.ts";
import type { RazorpaySdk } from "./sdk-adapter.ts";

export interface NewVirtualAccount {
  /** Text in the dashboard. */
  description: string;
  notes: Record<string, string>;
  /** Time after which money is returned to its sender. */
  closesAt: Date;
}

/** Bank account for the buyer's transfer. */
export interface BankAccount {
  beneficiary: string;
  number: string;
  ifsc: string;
  bank: string | null;
}

export interface VirtualAccount {
  id: string;
  notes: Record<string, string>;
  /** Null for an account without one. */
  bank: BankAccount | null;
}

export interface BankTransfer {
  paymentId: string;
  virtualAccountId: string;
  /** The bank's own reference: the UTR. */
  reference: string | null;
}

const receiver = z.object({
  account_number: z.string().nullish(),
  ifsc: z.string().nullish(),
  bank_name: z.string().overwrite(headerLine).nullish(),
  name: z.string().overwrite(headerLine).nullish(),
});
const accountSchema = z
  .object({
    id: z.string().min(1),
    // Empty notes are an empty list.
    notes: z.union([z.record(z.string(), z.coerce.string()), z.array(z.never()).transform(() => ({}))]),
    receivers: z.array(receiver),
  })
  .transform(({ id, notes, receivers }): VirtualAccount => {
    const found = receivers.find((each) => each.account_number != null && each.ifsc != null);
    return {
      id,
      notes,
      bank:
        found?.account_number == null || found.ifsc == null
          ? null
          : {
              beneficiary: found.name ?? "",
              number: found.account_number,
              ifsc: found.ifsc,
              bank: found.bank_name ?? null,
            },
    };
  });
const accountsSchema = z.object({ items: z.array(accountSchema) });
const transferSchema = z
  .object({
    payment_id: z.string(),
    virtual_account_id: z.string(),
    bank_reference: z.string().nullish(),
  })
  .transform(
    (wire): BankTransfer => ({
      paymentId: wire.payment_id,
      virtualAccountId: wire.virtual_account_id,
      reference: wire.bank_reference ?? null,
    }),
  );

/** Page size of a list, and maximum number of pages read for one account. */
const page = 100;
const maxPages = 20;

export function virtualAccounts({ call }: RazorpaySdk) {
  return {
    /** `POST /virtual_accounts`. It has no idempotency key: before a retry, use findVirtualAccount. @throws ProviderError */
    async createVirtualAccount({ description, notes, closesAt }: NewVirtualAccount): Promise<VirtualAccount> {
      const answer = await call("POST", "/virtual_accounts", {
        receivers: { types: ["bank_account"] },
        description,
        notes,
        close_by: Math.floor(closesAt.getTime() / 1000),
      });
      return parseResponse(answer, accountSchema);
    },

    /** Returns the account with one of our notes; null when there is none among the newest 2,000. @throws ProviderError */
    async findVirtualAccount(name: string, value: string): Promise<VirtualAccount | null> {
      for (let read = 0; read < maxPages; read += 1) {
        const answer = await call("GET", `/virtual_accounts?count=${page}&skip=${read * page}`);
        const { items } = parseResponse(answer, accountsSchema);
        const found = items.find(({ notes }) => notes[name] === value);
        if (found !== undefined) return found;
        if (items.length < page) break;
      }
      return null;
    },

    /** `GET /virtual_accounts/{id}`. @throws ProviderError */
    async getVirtualAccount(id: string): Promise<VirtualAccount> {
      return parseResponse(await call("GET", pathOf`/virtual_accounts/${id}`), accountSchema);
    },

    /** `GET /payments/{id}/bank_transfer`: the account that a payment reached. @throws ProviderError */
    async getBankTransfer(paymentId: string): Promise<BankTransfer> {
      return parseResponse(await call("GET", pathOf`/payments/${paymentId}/bank_transfer`), transferSchema);
    },
  };
}
export type VirtualAccounts = ReturnType<typeof virtualAccounts>;
