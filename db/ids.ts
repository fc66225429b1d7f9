/** Branded ids: strings that were validated or created here, so that one kind of id cannot be used as another. */
import { randomUUID } from "node:crypto";

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Brand<"UserId">;
export type SessionId = Brand<"SessionId">;
export type StaffId = Brand<"StaffId">;
export type StaffSessionId = Brand<"StaffSessionId">;
export type StoreViewId = Brand<"StoreViewId">;
export type CustomerId = Brand<"CustomerId">;
export type AddressId = Brand<"AddressId">;
export type OrderId = Brand<"OrderId">;
export type ItemId = Brand<"ItemId">;
/** One worker's turn at the stored steps of an order. */
export type RunId = Brand<"RunId">;
export type PaymentId = Brand<"PaymentId">;
export type RefundId = Brand<"RefundId">;
export type CorrectionId = Brand<"CorrectionId">;
/** Id of a credit note: the refund, or the invoice correction, that it was issued for. */
export type CreditNoteId = RefundId | CorrectionId;
export type BillingContactId = Brand<"BillingContactId">;
export type CancellationId = Brand<"CancellationId">;
export type DisputeId = Brand<"DisputeId">;
export type TenantId = Brand<"TenantId">;
export type QuoteId = Brand<"QuoteId">;
export type QuoteRequestId = Brand<"QuoteRequestId">;
export type SubscriptionId = Brand<"SubscriptionId">;
export type InvitationId = Brand<"InvitationId">;
export type InviteId = Brand<"InviteId">;
export type MailId = Brand<"MailId">;
export type IdentityProofId = Brand<"IdentityProofId">;
export type ControlProofId = Brand<"ControlProofId">;
export type DataExportId = Brand<"DataExportId">;
/** A sequence number, because an operator types it. */
export type PriceListId = number & { readonly [brand]: "PriceListId" };

/** Creates an unguessable id (UUID v4, 122 random bits). The type argument selects its kind. */
export function newId<Id extends Brand<string>>(): Id {
  return randomUUID() as string as Id;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Parses an id from a URL or a payload. Null for anything else, so that it never reaches a query. */
export function parseId<Id extends Brand<string>>(text: string | null | undefined): Id | null {
  return text !== null && text !== undefined && uuid.test(text) ? (text as Id) : null;
}

/** Parses the number of a price list. Null for anything else. */
export function parsePriceListId(text: string): PriceListId | null {
  return /^[1-9]\d{0,8}$/.test(text) ? (Number(text) as PriceListId) : null;
}
