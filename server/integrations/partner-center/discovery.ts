/** Finds a domain's tenant through Microsoft's public sign-in metadata. */
import { z } from "zod";
import { baseOf, errorOf, parseResponse, pathOf, send } from "../http.ts";
import type { PartnerCenterConfig } from "./config.ts";

const discoveryReply = z.object({ issuer: z.string() });

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/**
 * Returns the tenant that owns a domain, from the issuer of its public sign-in metadata, or null when there is none. Needs no
 * token and no relationship.
 * @throws ProviderError
 */
export async function findTenantId(
  { loginUrl, timeoutMs, onCall }: PartnerCenterConfig,
  domain: string,
): Promise<string | null> {
  const answer = await send({
    provider: "microsoft",
    method: "GET",
    url: baseOf(loginUrl) + pathOf`/${domain}/v2.0/.well-known/openid-configuration`,
    timeoutMs,
    onCall,
  });
  if (answer.status === 400 && errorOf(answer).code === "invalid_tenant") return null;
  const found = guid.exec(parseResponse(answer, discoveryReply).issuer);
  return found === null ? null : found[0].toLowerCase();
}
