/** Reads the state of a document at the invoice registration portal (docs/decisions/invoices.md#registration). */
import { type Acknowledgement, type EInvoice, findEInvoice } from "#db/billing/e-invoices.ts";
import type { Db } from "#db/tables/index.ts";
import { explainRefusal } from "#server/foundation/countries/portal-refusals.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";

/** Registration state of a document at the portal. */
export type Registration =
  | { state: "not_needed" | "pending" }
  /** Refused by the portal, with the reason. */
  | { state: "failed"; problem: MessageDescriptor }
  /** Replaced by another number before it was registered. */
  | { state: "withdrawn" }
  | ({ state: "final" | "cancelled" } & Acknowledgement);

/** Reads the registration state of a document. */
export async function registrationOf(db: Db, number: string): Promise<Registration> {
  const document = await findEInvoice(db, number);
  if (document === null) return { state: "not_needed" };
  const { state, acknowledgement } = document;
  if (state === "pending") return { state };
  if (state === "failed") return { state, problem: explainRefusal(document) };
  if (state === "cancelled" && acknowledgement === null) return { state: "withdrawn" };
  if (acknowledgement === null) throw new RangeError(`${number} is ${state} without an acknowledgement`);
  return { state, ...acknowledgement };
}

/** Formats the last refusal of a document. The portal's text may already begin with the code. @returns null when there is none */
export function portalMessage({
  errorCode,
  errorWords,
}: Pick<EInvoice, "errorCode" | "errorWords">): string | null {
  if (errorCode !== null && errorWords?.startsWith(errorCode) === true) return errorWords;
  return [errorCode, errorWords].filter(Boolean).join(": ") || null;
}

/** Whether a document may be handed out: it is registered, or needs no registration. */
export function mayBeHandedOut({ state }: Registration): boolean {
  return state !== "pending" && state !== "failed" && state !== "withdrawn";
}
