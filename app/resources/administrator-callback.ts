/**
 * GET /azure/ad/administrator: an administrator returns from Microsoft. The sign-in counts as proof, or the page says why it
 * does not.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { DomainError } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { proveBySignIn } from "#server/fulfilment/approval.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { cancelled } from "#server/integrations/openid.ts";
import {
  type AdministratorFlow,
  allowOpener,
  consumeAdministratorFlow,
  popup,
  toSignIn,
} from "../http/administrator.ts";
import { pageLoader } from "../http/page.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";
import { type RequestContext, redirectWith } from "../http/request-context.ts";
import { ownAddress } from "../http/return-path.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const flow = await consumeAdministratorFlow(request);
  if (flow === null) {
    request.log.info("an administrator's sign-in without its beginning");
    throw await redirectWith(request, paths.home(), {
      type: "error",
      message: request.text("approval.tooLate"),
    });
  }
  throw await answerTo(request, flow);
});

async function answerTo(request: RequestContext, flow: AdministratorFlow): Promise<Response> {
  const { context, url } = request;
  const { orderId, request: wish, back } = flow;
  const to = new URL(back, context.env.PUBLIC_URL);
  if (to.searchParams.get("window") === popup) allowOpener(request);
  try {
    await enforceRateLimit(rateLimits.administratorCallback, request);
    const person = await context.entra.finish(wish, url.searchParams, flow.flow);
    if (person.roles === null && !wish.rolesByGraph) {
      // This tenant's tokens do not contain the roles, so sign in again with the scope that Graph requires.
      return await toSignIn(request, { orderId, tenantId: wish.tenantId, rolesByGraph: true, back });
    }
    const refused = await proveBySignIn(context, {
      orderId,
      tenantId: wish.tenantId,
      person,
      by: request.session?.userId ?? null,
      now: new Date(),
    });
    if (refused !== null) to.searchParams.set("refused", refused);
  } catch (error) {
    to.searchParams.set("refused", whyNot(request, error));
  }
  return redirect(ownAddress(to), 303);
}

/** @throws any error that is a fault of ours */
function whyNot({ log }: RequestContext, error: unknown): string {
  if (error instanceof DomainError && error.code === "rate_limited") return "too-often";
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === cancelled) return "cancelled";
  log.warn({ err: error, description: error.description }, "an administrator's sign-in failed");
  return error.kind === "transient" ? "unavailable" : "failed";
}
