/** GET /azure/ad/administrator: an administrator is back from Microsoft. Their sign-in proves what it proves, or the page says why not. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { DomainError } from "#server/errors.ts";
import { proveBySignIn } from "#server/fulfilment/approval.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { cancelled } from "#server/providers/openid.ts";
import {
  type AdministratorFlow,
  keepOpener,
  popup,
  takeAdministratorFlow,
  toMicrosoft,
} from "../http/administrator.ts";
import { countAgainst, limits } from "../http/limits.ts";
import { type Page, pageLoader, redirectWith } from "../http/page.ts";
import { paths } from "../paths.ts";

export const loader = pageLoader(z.unknown(), async (page) => {
  const flow = await takeAdministratorFlow(page);
  if (flow === null) {
    page.log.info("an administrator's sign-in without its beginning");
    throw await redirectWith(page, paths.home(), {
      type: "error",
      message: "Signing in took too long. Please open the approval page again.",
    });
  }
  throw await answerTo(page, flow);
});

async function answerTo(page: Page, flow: AdministratorFlow): Promise<Response> {
  const { context, url } = page;
  const { orderId, asked, back } = flow;
  const to = new URL(back, context.env.PUBLIC_URL);
  if (to.searchParams.get("window") === popup) keepOpener(page);
  try {
    await countAgainst(limits.administratorCallback, page);
    const person = await context.entra.finish(asked, url.searchParams, flow.flow);
    if (person.roles === null && !asked.rolesByGraph) {
      // This tenant's tokens do not name them: once more, with what Graph demands.
      return await toMicrosoft(page, { orderId, tenantId: asked.tenantId, rolesByGraph: true, back });
    }
    const refused = await proveBySignIn(context, {
      orderId,
      tenantId: asked.tenantId,
      person,
      by: page.session?.userId ?? null,
      now: new Date(),
    });
    if (refused !== null) to.searchParams.set("refused", refused);
  } catch (error) {
    to.searchParams.set("refused", whyNot(page, error));
  }
  return redirect(`${to.pathname}${to.search}`, 303);
}

/** @throws anything that is a fault of ours */
function whyNot({ log }: Page, error: unknown): string {
  if (error instanceof DomainError && error.code === "rate_limited") return "too-often";
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === cancelled) return "cancelled";
  log.warn({ err: error, description: error.description }, "an administrator's sign-in failed");
  return error.kind === "transient" ? "unavailable" : "failed";
}
