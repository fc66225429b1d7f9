/** What the three addresses of Continue with Outlook share: the state kept in the browser, and how the sign-in ends. */
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import type { SignedIn } from "#server/accounts/identities.ts";
import * as paths from "#server/paths.ts";
import type { OutlookFlow } from "#server/providers/outlook.ts";
import { outlookCookie, outlookProofCookie } from "./cookies.ts";
import { enter } from "./enter.ts";
import { type RequestContext, redirectWith } from "./request-context.ts";

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** The server checks the age itself, because only the browser enforces a cookie's Max-Age. */
  until: z.number(),
});

const flowMs = 10 * 60_000;

export function callbackUrl({ context }: RequestContext): string {
  return `${context.env.PUBLIC_URL}${paths.outlookCallback()}`;
}

export async function keepFlow(request: RequestContext, flow: OutlookFlow, next: string): Promise<void> {
  const kept: z.input<typeof flowSchema> = { ...flow, next, until: Date.now() + flowMs };
  request.responseHeaders.append("Set-Cookie", await outlookCookie(request.context.env).serialize(kept));
}

/** Reads and clears the cookie that keepFlow set. Null when it is missing or expired. */
export async function takeFlow(request: RequestContext): Promise<(OutlookFlow & { next: string }) | null> {
  const cookie = outlookCookie(request.context.env);
  const kept = flowSchema.safeParse(await cookie.parse(request.raw.headers.get("cookie")));
  request.responseHeaders.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  if (!kept.success || kept.data.until < Date.now()) return null;
  return { ...kept.data, next: safeReturnPath(kept.data.next) };
}

/** Ends a failed sign-in with a message on the login page, where the other ways in still work. */
export function backToLogin(request: RequestContext, next: string, message: string): Promise<Response> {
  return redirectWith(request, paths.login(next === paths.home() ? undefined : next), {
    type: "error",
    message,
  });
}

/** Ends a successful sign-in. */
export async function enterByOutlook(
  request: RequestContext,
  signedIn: SignedIn,
  next: string,
): Promise<Response> {
  const { env } = request.context;
  request.responseHeaders.append("Set-Cookie", await outlookProofCookie(env).serialize("", { maxAge: 0 }));
  return enter(
    request,
    signedIn,
    safeReturnPath(next),
    signedIn.passwordRemoved ? request.text("access.signedInWithOutlook") : null,
  );
}
