/** The random key by which a visitor's browser keeps its drafts (docs/decisions/order-from-step-1.md). */
import { hashToken, newToken } from "#server/security/token.ts";
import { draftCookie } from "./cookies.ts";
import type { Page } from "./page.ts";

/**
 * Does what begins an order, as a visitor whose browser has a key: it is given one when it has none, and keeps it when an
 * order was begun.
 */
export async function withDraftKey<Result>(page: Page, begin: () => Promise<Result>): Promise<Result> {
  if (page.session !== null || page.draftKey !== null) return begin();
  const key = newToken();
  page.draftKey = hashToken(key);
  const result = await begin();
  page.headers.append("Set-Cookie", await draftCookie(page.context.env).serialize(key));
  return result;
}
