/** The random key by which a visitor's browser keeps its drafts (docs/decisions/order-from-step-1.md). */
import { hashToken, newToken } from "#server/security/token.ts";
import { draftCookie } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Does what begins an order, as a visitor whose browser has a key: it is given one when it has none, and keeps it when an
 * order was begun.
 */
export async function withDraftKey<Result>(
  request: RequestContext,
  begin: () => Promise<Result>,
): Promise<Result> {
  if (request.session !== null || request.draftKey !== null) return begin();
  const key = newToken();
  request.draftKey = hashToken(key);
  const result = await begin();
  request.responseHeaders.append("Set-Cookie", await draftCookie(request.context.env).serialize(key));
  return result;
}
