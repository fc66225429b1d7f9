/** The random key that identifies a visitor's drafts in their browser (docs/decisions/orders.md#drafts). */
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { draftCookie } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Runs a function that may begin an order, for a visitor with a draft key. A new key is created when there is none, and the
 * cookie is set only when an order was begun.
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
