/** Logs refusals: one line each, with the network, the account and the outcome (docs/operate/logs.md). */
import type { DomainError } from "#server/foundation/errors.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import type { RequestContext } from "./request-context.ts";

/** Logs a refusal. The account is the one it is about, or else the one that is signed in. */
export function logRefusal(
  { log, url, clientAddress }: Pick<RequestContext, "log" | "url" | "clientAddress">,
  { code, facts }: Pick<DomainError, "code" | "facts">,
  message: "form refused" | "request refused" | "call refused" | "identity sign-in refused",
): void {
  const { userId, staffId } = requestMetadata();
  const network = shortNetwork(clientAddress);
  log.info({ code, outcome: code, userId, staffId, network, path: url.pathname, ...facts }, message);
}
