/** Branded identifiers: a string that has been checked, or minted here, and cannot be mistaken for another kind of id. */
import { randomUUID } from "node:crypto";

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Brand<"UserId">;
export type SessionId = Brand<"SessionId">;
export type CustomerId = Brand<"CustomerId">;
export type AddressId = Brand<"AddressId">;
export type OrderId = Brand<"OrderId">;
export type ItemId = Brand<"ItemId">;
export type PaymentId = Brand<"PaymentId">;
export type RefundId = Brand<"RefundId">;
export type TenantId = Brand<"TenantId">;
export type SubscriptionId = Brand<"SubscriptionId">;
export type InvitationId = Brand<"InvitationId">;
export type InviteId = Brand<"InviteId">;
export type MailId = Brand<"MailId">;
export type IdentityProofId = Brand<"IdentityProofId">;
export type ControlProofId = Brand<"ControlProofId">;

/** A fresh, unguessable id (UUID v4, 122 random bits). The type argument says of what. */
export function newId<Id extends Brand<string>>(): Id {
  return randomUUID() as string as Id;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads an id out of a URL or a payload; `null` when it is not one, so that it never reaches a query. */
export function parseId<Id extends Brand<string>>(text: string | null | undefined): Id | null {
  return text !== null && text !== undefined && uuid.test(text) ? (text as Id) : null;
}
