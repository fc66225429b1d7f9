/**
 * GET /azure/ad/callback: the browser returns from Outlook. The user is signed in, asked for a proof, or sent to the login.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { continueWithOutlook } from "#server/accounts/outlook.ts";
import { DomainError } from "#server/errors.ts";
import { tell } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { cancelled } from "#server/providers/outlook.ts";
import { outlookProofCookie } from "../http/cookies.ts";
import { countAgainst, limits } from "../http/limits.ts";
import { backToLogin, callbackUrl, enterByOutlook, takeFlow } from "../http/outlook.ts";
import { pageLoader } from "../http/page.ts";
import type { RequestContext } from "../http/request-context.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, url } = request;
  const flow = await takeFlow(request);
  if (flow === null) {
    request.log.info("an answer of Outlook without its beginning");
    throw await backToLogin(request, paths.home(), request.text("access.outlookTooLate"));
  }
  let outcome: Awaited<ReturnType<typeof continueWithOutlook>>;
  try {
    await countAgainst(limits.outlookCallback, request);
    const person = await context.outlook.finish(callbackUrl(request), url.searchParams, flow);
    outcome = await continueWithOutlook(context, { ...person, language: request.language }, flow.next);
  } catch (error) {
    throw await backToLogin(request, flow.next, inWords(request, error));
  }
  if (outcome.outcome === "signed-in") throw await enterByOutlook(request, outcome, flow.next);
  request.responseHeaders.append("Set-Cookie", await outlookProofCookie(context.env).serialize(outcome.key));
  throw redirect(paths.outlookProof());
});

/** The message for the visitor. The log gets the error code. @throws any error that is a fault of ours */
function inWords({ log, language, text }: RequestContext, error: unknown): string {
  if (error instanceof DomainError) {
    log.info({ code: error.code }, "a sign-in with Outlook was refused");
    return tell(language, error.told);
  }
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === cancelled) {
    log.info("a sign-in with Outlook was cancelled");
    return text("access.outlookCancelled");
  }
  log.warn({ err: error }, "a sign-in with Outlook failed");
  return text(error.kind === "transient" ? "access.outlookSilent" : "access.outlookFailed");
}
