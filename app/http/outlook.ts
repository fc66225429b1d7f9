/** What the three addresses of Continue with Outlook share: what the browser keeps on the way, and how it ends. */
import { z } from "zod";
import type { SignedIn } from "#server/accounts/identities.ts";
import type { OutlookFlow } from "#server/providers/outlook.ts";
import { paths, safeReturnPath } from "../paths.ts";
import { outlookCookie, outlookProofCookie } from "./cookies.ts";
import { enter } from "./enter.ts";
import { type Page, redirectWith } from "./page.ts";

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** A cookie's Max-Age is the browser's word only. */
  until: z.number(),
});

const flowMs = 10 * 60_000;

export function callbackUrl({ context }: Page): string {
  return `${context.env.PUBLIC_URL}${paths.outlookCallback()}`;
}

export async function keepFlow(page: Page, flow: OutlookFlow, next: string): Promise<void> {
  const kept: z.input<typeof flowSchema> = { ...flow, next, until: Date.now() + flowMs };
  page.headers.append("Set-Cookie", await outlookCookie(page.context.env).serialize(kept));
}

/** What keepFlow kept, once: the browser is told to forget it. `null` when there is nothing, or it is too old. */
export async function takeFlow(page: Page): Promise<(OutlookFlow & { next: string }) | null> {
  const cookie = outlookCookie(page.context.env);
  const kept = flowSchema.safeParse(await cookie.parse(page.request.headers.get("cookie")));
  page.headers.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  if (!kept.success || kept.data.until < Date.now()) return null;
  return { ...kept.data, next: safeReturnPath(kept.data.next) };
}

/** Ends a sign-in that did not work, calmly: at the login, where everything else still does. */
export function backToLogin(page: Page, next: string, message: string): Promise<Response> {
  return redirectWith(page, paths.login(next === paths.home() ? undefined : next), {
    type: "error",
    message,
  });
}

/** Ends a sign-in that did. */
export async function enterByOutlook(page: Page, signedIn: SignedIn, next: string): Promise<Response> {
  const { env } = page.context;
  page.headers.append("Set-Cookie", await outlookProofCookie(env).serialize("", { maxAge: 0 }));
  return enter(
    page,
    signedIn,
    safeReturnPath(next),
    signedIn.passwordRemoved ? "You are signed in with Outlook." : null,
  );
}
