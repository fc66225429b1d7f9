/**
 * Signs an administrator in to a Microsoft tenant (Entra ID) as proof of control: returns the claims of the signed ID token, and
 * their roles from Microsoft Graph when the token has none. The store decides whether that is sufficient.
 */
import { z } from "zod";
import { ProviderError, unexpectedAnswer } from "./errors.ts";
import { baseOf, type OnCall, parseResponse, send } from "./http.ts";
import { createOpenIdClient, type OpenIdFlow, personalTenant } from "./openid.ts";

export interface EntraConfig {
  /** `https://login.microsoftonline.com`. Each tenant is an issuer below it. */
  loginUrl: string;
  clientId: string;
  clientSecret: string;
  /** `https://graph.microsoft.com/v1.0`. */
  graphUrl: string;
  /** Scope that Graph requires for reading roles. An administrator consents to it. */
  graphScope: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** State kept in a signed cookie during the sign-in. */
export type EntraFlow = OpenIdFlow;

export interface EntraPerson {
  /** The tenant they signed in to, in lower case. */
  tenantId: string;
  /** Their id in that tenant, the same for every application. */
  objectId: string;
  /** Whether it is a personal account, such as outlook.com. */
  isPersonal: boolean;
  /** Guests come from another tenant. "unknown" when the token has no such claim. */
  membership: "member" | "guest" | "unknown";
  /** Template ids of their tenant-wide roles. Null when neither the token nor Graph was asked for them. */
  roles: readonly string[] | null;
  /** Time of their last authentication. */
  authenticatedAt: Date;
}

export interface EntraRequest {
  /** Exactly as registered at Microsoft. */
  redirectUri: string;
  tenantId: string;
  /** Whether to read the roles from Graph, for a tenant whose tokens do not contain them. */
  rolesByGraph: boolean;
}

export interface Entra {
  begin(request: EntraRequest): Promise<{ url: string; flow: EntraFlow }>;
  finish(request: EntraRequest, answer: URLSearchParams, flow: EntraFlow): Promise<EntraPerson>;
}

/** Maximum age of a Microsoft sign-in, in seconds. */
export const maxSignInAgeSeconds = 15 * 60;

const guid = z.guid().transform((text) => text.toLowerCase());
const claimsSchema = z.object({
  iss: z.string(),
  ver: z.literal("2.0"),
  tid: guid,
  oid: guid,
  iat: z.number(),
  auth_time: z.number().optional(),
  /** 0 = a member of the tenant, 1 = a guest. Sent only when the app registration requests it. */
  acct: z.union([z.number(), z.string()]).transform(Number).optional(),
  /** Their identity provider, when it is not the tenant itself. */
  idp: z.string().optional(),
  wids: z.array(z.string()).optional(),
});
type Claims = z.infer<typeof claimsSchema>;

const rolesReply = z.object({
  value: z.array(z.object({ roleTemplateId: z.string().nullish() })),
});

export function createEntra(config: EntraConfig): Entra {
  const issuerOf = (tenantId: string) => `${baseOf(config.loginUrl)}/${tenantId}/v2.0`;
  const clientOf = (tenantId: string) =>
    createOpenIdClient({ ...config, provider: "entra", issuer: issuerOf(tenantId) });

  async function readRoles(accessToken: string): Promise<string[]> {
    const answer = await send({
      provider: "entra",
      method: "GET",
      url: `${baseOf(config.graphUrl)}/me/memberOf/microsoft.graph.directoryRole`,
      headers: { Authorization: `Bearer ${accessToken}` },
      secrets: [accessToken],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
    return parseResponse(answer, rolesReply).value.flatMap(({ roleTemplateId }) => roleTemplateId ?? []);
  }

  return {
    /**
     * Returns the address of this tenant's sign-in, which always asks for the password.
     * @throws ProviderError when Microsoft cannot be reached
     */
    begin: ({ redirectUri, tenantId, rolesByGraph }) =>
      clientOf(tenantId).begin(redirectUri, {
        scope: rolesByGraph ? `openid profile ${config.graphScope}` : "openid profile",
        prompt: "login",
        max_age: String(maxSignInAgeSeconds),
      }),

    /**
     * Returns the person who came back. Other parameters of the callback, such as `tenant`, are never read.
     * @throws ProviderError (refused) with the code `cancelled`, or for a response that does not belong to this flow or to
     *   this tenant's issuer; (transient) when Microsoft or Graph does not respond
     */
    async finish({ redirectUri, tenantId, rolesByGraph }, answer, flow) {
      const { claims, accessToken } = await clientOf(tenantId).finish(redirectUri, answer, flow);
      const read = claimsSchema.safeParse(claims);
      if (!read.success) {
        const description = `Unexpected claims: ${read.error.issues.map(({ path }) => path.join(".")).join(", ")}`;
        throw new ProviderError("entra", "refused", "token", { code: unexpectedAnswer, description });
      }
      const person = personOf(read.data);
      if (person.roles !== null || !rolesByGraph) return person;
      return { ...person, roles: await readRoles(accessToken) };
    },
  };
}

function personOf({ iss, tid, oid, iat, auth_time, acct, idp, wids }: Claims): EntraPerson {
  const isOwn = idp === undefined || idp === iss;
  return {
    tenantId: tid,
    objectId: oid,
    isPersonal: tid === personalTenant || idp === "live.com" || idp?.includes(personalTenant) === true,
    membership: !isOwn || acct === 1 ? "guest" : acct === 0 ? "member" : "unknown",
    roles: wids ?? null,
    authenticatedAt: new Date((auth_time ?? iat) * 1_000),
  };
}
