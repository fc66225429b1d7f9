/** The random key by which a visitor's browser keeps its drafts (DESIGN ruling 3). */
import { hashToken, newToken } from "#server/security/token.ts";
import { draftCookie } from "./cookies.ts";
import type { Page } from "./page.ts";

/** Gives a visitor's browser a key when it has none. */
export async function ensureDraftKey(page: Page): Promise<void> {
  if (page.session !== null || page.draftKey !== null) return;
  const key = newToken();
  page.headers.append("Set-Cookie", await draftCookie(page.context.env).serialize(key));
  page.draftKey = hashToken(key);
}
