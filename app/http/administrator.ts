/** Sends an administrator to Microsoft, and keeps the order and the tenant in a cookie for the way back. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { type OrderId, parseId } from "#db/ids.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import type { EntraFlow, EntraRequest } from "#server/integrations/entra.ts";
import { administratorCookie } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

const keptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  order: z.string(),
  tenant: z.string(),
  rolesByGraph: z.boolean(),
  /** The approval page from which they left. */
  back: z.string(),
  /** The server checks the age itself, because only the browser enforces a cookie's Max-Age. */
  until: z.number(),
});

const flowMs = 10 * 60_000;

export interface AdministratorFlow {
  orderId: OrderId;
  request: EntraRequest;
  flow: EntraFlow;
  back: string;
}

/**
 * Redirects to the sign-in of the tenant that an order goes into.
 * @param about.back the approval page to which the administrator returns
 * @throws ProviderError when Microsoft does not answer
 */
export async function toSignIn(
  request: RequestContext,
  about: { orderId: OrderId; tenantId: string; rolesByGraph: boolean; back: string },
): Promise<Response> {
  const { env, entra } = request.context;
  const { orderId, tenantId, rolesByGraph, back } = about;
  const { url, flow } = await entra.begin(entraRequestFor(request, tenantId, rolesByGraph));
  const kept: z.input<typeof keptSchema> = {
    ...flow,
    order: orderId,
    tenant: tenantId,
    rolesByGraph,
    back,
    until: Date.now() + flowMs,
  };
  request.responseHeaders.append("Set-Cookie", await administratorCookie(env).serialize(kept));
  return redirect(url);
}

/** Reads and clears the cookie that toSignIn set. Null when it is missing or expired. */
export async function consumeAdministratorFlow(request: RequestContext): Promise<AdministratorFlow | null> {
  const cookie = administratorCookie(request.context.env);
  const kept = keptSchema.safeParse(await cookie.parse(request.raw.headers.get("cookie")));
  request.responseHeaders.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  const orderId = parseId<OrderId>(kept.data?.order);
  if (!kept.success || orderId === null || kept.data.until < Date.now()) return null;
  const { tenant, rolesByGraph, back, ...flow } = kept.data;
  return {
    orderId,
    request: entraRequestFor(request, tenant, rolesByGraph),
    flow,
    back: safeReturnPath(back),
  };
}

function entraRequestFor({ context }: RequestContext, tenantId: string, rolesByGraph: boolean): EntraRequest {
  const redirectUri = `${context.env.PUBLIC_URL}${paths.administratorCallback()}`;
  return { redirectUri, tenantId, rolesByGraph };
}

/**
 * The sign-in must start on our own page, which explains what it proves. Otherwise another site could send its visitor here
 * to prove control for somebody else's order unread.
 * @throws DomainError forbidden
 */
export function requireSameOriginReferrer({ raw: request, context }: RequestContext): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const from = headers.get("referer");
  if (site === null && from !== null && URL.canParse(from)) {
    if (new URL(from).origin === new URL(context.env.PUBLIC_URL).origin) return;
  }
  throw new DomainError("forbidden", msg("approval.readFirst"));
}

/** The parameter that tells an approval page it runs in a window opened by the order's page. */
export const popup = "popup";

/** Lets the opener close this window even after it has navigated to Microsoft, a different origin. */
export function allowOpener({ responseHeaders: headers }: RequestContext): void {
  headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
}

/** The address under which an approval page was opened: the order's own link, or a mailed one. */
export function approvalPathOf(
  params: { id?: string | undefined; token?: string | undefined },
  options: Parameters<typeof paths.approval>[1] = {},
): string {
  return params.token === undefined
    ? paths.approval(params.id ?? "", options)
    : paths.approve(params.token, options);
}
