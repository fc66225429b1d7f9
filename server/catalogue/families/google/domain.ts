import type { Order } from "#db/orders/order.ts";
import { readCredentials } from "#server/accounts/credentials/credentials.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import { answerInTime } from "../answer-or-null.ts";
import { limitDomainLookUps } from "../domain-look-ups.ts";
import type { DomainRequest, OrderedDomain, SignInInput } from "../family.ts";
import { planTransfer, type TransferPlan, TransferRefusedError, type TransferRequest } from "./transfer.ts";

/** Response of GET /google/signup: 0 = available, 1 = not available, 2 = transfer possible. */
export type DomainStatus = 0 | 1 | 2;

/** @throws DomainError rate_limited; ProviderError when Google does not respond */
export async function checkGoogleDomain(
  context: Context,
  domain: string,
  clientAddress: string,
): Promise<DomainStatus> {
  await limitDomainLookUps(context.db, clientAddress);
  return (await context.google.checkDomain(domain)).status;
}

/**
 * Checks the domain of an order: status 2 makes the order a transfer, status 1 blocks it. A given transfer token has to fit the
 * order. Without a response from Google there is no order: its price depends on the domain.
 * @throws DomainError bad_request or provider_unavailable, on the field `domain`, `transferToken` or `quantity`
 */
export async function requireGoogleDomain(
  context: Context,
  { domain, plan, quantity, transferToken }: DomainRequest,
  clientAddress: string,
): Promise<OrderedDomain> {
  const refuse = (
    code: "bad_request" | "provider_unavailable",
    message: MessageDescriptor,
    field: TransferRefusedError["field"] | "domain" = "domain",
  ) => new DomainError(code, message, { fields: { [field]: message } });
  const status = await answerInTime(
    context,
    "whose is the domain?",
    checkGoogleDomain(context, domain, clientAddress),
  );
  if (status === null) throw refuse("provider_unavailable", msg("signIn.domainNotChecked"));
  if (status === 1)
    throw refuse("bad_request", msg("signIn.domainBlocked", { why: msg("signIn.domainTaken") }));
  if (status === 0) return { domain, customerType: "new_signup" };
  if (transferToken === null) return { domain, customerType: "transfer_token" };
  const planned = await planInTime(context, { domain, authToken: transferToken, plan, quantity });
  if (planned === null)
    throw refuse("provider_unavailable", msg("families.transferNotChecked"), "transferToken");
  if (planned instanceof TransferRefusedError) throw refuse("bad_request", planned.descriptor, planned.field);
  return { domain, customerType: "transfer_token", moves: movesOf(planned) };
}

const notAnswered = () => new DomainError("provider_unavailable", msg("families.notRechecked"));
const changed = (what: MessageDescriptor) => new DomainError("conflict", msg("families.changed", { what }));

/**
 * Checks the domain of a new order again, right before its payment.
 * @throws DomainError conflict, provider_unavailable
 */
export async function recheckGoogleDomain(context: Context, order: Order): Promise<void> {
  const { id, line, details } = order;
  const { google } = details;
  if (google === undefined || google.customerType === "existing_customer") return;
  const { domain, customerType, moves } = google;
  const found = await answerInTime(context, "whose is the domain?", context.google.checkDomain(domain));
  if (found === null) throw notAnswered();
  if (found.status === 1) throw changed(msg("signIn.domainTaken"));
  if ((found.status === 2) !== (customerType === "transfer_token")) {
    throw changed(msg("families.domainChanged", { domain }));
  }
  if (moves === undefined) return;
  const kept = await readCredentials(context, context.db, id, "transfer-token");
  if (kept === null) throw changed(msg("families.tokenTooOld"));
  const { name, quantity } = line;
  const plan = { itemId: order.itemId, country: order.country, name };
  const input = { domain, authToken: kept.password, plan, quantity };
  const planned = await planInTime(context, input);
  if (planned === null) throw notAnswered();
  if (planned instanceof TransferRefusedError) throw changed(planned.descriptor);
  if ((movesOf(planned) === null) !== (moves === null)) throw changed(msg("families.movesChanged"));
}

export function signInInputFor(transferToken: string): SignInInput {
  return {
    answers: { mode: "google-transfer" },
    secret: { purpose: "transfer-token", username: "", value: transferToken },
  };
}

/** Returns null when Google does not respond in time. */
function planInTime(
  context: Context,
  request: TransferRequest,
): Promise<TransferPlan | TransferRefusedError | null> {
  const planned = planTransfer(context, request).catch((error: unknown) => {
    if (error instanceof TransferRefusedError) return error;
    throw error;
  });
  return answerInTime(context, "what would move?", planned);
}

function movesOf({ moving }: TransferPlan): { minSeats: number } | null {
  return moving === null ? null : { minSeats: moving.minSeats };
}
