/**
 * An administrator of a Microsoft tenant signs in there (Entra ID), to show that the tenant is theirs: what the signed ID token says
 * of them, and their roles by Microsoft Graph where the token names none. Whether that is enough is the store's to judge.
 */
import { z } from "zod";
import { ProviderError, unexpectedAnswer } from "./errors.ts";
import { baseOf, type OnCall, readAnswer, send } from "./http.ts";
import { createOpenIdClient, type OpenIdFlow, personalTenant } from "./openid.ts";

export interface EntraConfig {
  /** `https://login.microsoftonline.com`; each tenant is an issuer of its own below it. */
  loginUrl: string;
  clientId: string;
  clientSecret: string;
  /** `https://graph.microsoft.com/v1.0`. */
  graphUrl: string;
  /** What Graph demands for telling somebody's roles; an administrator consents to it. */
  graphScope: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** What the browser keeps on the way, for a signed cookie. */
export type EntraFlow = OpenIdFlow;

export interface EntraPerson {
  /** The tenant signed in to, in lower case. */
  tenantId: string;
  /** Theirs in that tenant: the same in every application. */
  objectId: string;
  /** An account of outlook.com and the like. */
  isPersonal: boolean;
  /** Guests are signed in to a tenant that is not their own. "unknown" when the token does not say. */
  membership: "member" | "guest" | "unknown";
  /** Template ids of the roles they have in the whole tenant; null when neither the token nor Graph was asked for them. */
  roles: readonly string[] | null;
  /** When they last proved who they are. */
  authenticatedAt: Date;
}

export interface EntraAsked {
  /** Exactly as it is registered at Microsoft. */
  redirectUri: string;
  tenantId: string;
  /** True to ask Graph for the roles: for a tenant whose tokens do not name them. */
  rolesByGraph: boolean;
}

export interface Entra {
  begin(asked: EntraAsked): Promise<{ url: string; flow: EntraFlow }>;
  finish(asked: EntraAsked, answer: URLSearchParams, flow: EntraFlow): Promise<EntraPerson>;
}

/** How long ago they may have signed in to Microsoft, in seconds. */
export const freshSeconds = 15 * 60;

const guid = z.guid().transform((text) => text.toLowerCase());
const claimsSchema = z.object({
  iss: z.string(),
  ver: z.literal("2.0"),
  tid: guid,
  oid: guid,
  iat: z.number(),
  auth_time: z.number().optional(),
  /** 0 = a member of the tenant, 1 = a guest; comes only when the registration asks for it. */
  acct: z.union([z.number(), z.string()]).transform(Number).optional(),
  /** Who vouches for them, when that is not the tenant itself. */
  idp: z.string().optional(),
  wids: z.array(z.string()).optional(),
});
type Claims = z.infer<typeof claimsSchema>;

const rolesReply = z.object({
  value: z.array(z.object({ roleTemplateId: z.string().nullish() })),
});

/** A client of Microsoft's sign-in for administrators. */
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
    return readAnswer(answer, rolesReply).value.flatMap(({ roleTemplateId }) => roleTemplateId ?? []);
  }

  return {
    /**
     * Where to send the browser: to the sign-in of this one tenant, which asks for the password anew.
     * @throws ProviderError when Microsoft cannot be reached
     */
    begin: ({ redirectUri, tenantId, rolesByGraph }) =>
      clientOf(tenantId).begin(redirectUri, {
        scope: rolesByGraph ? `openid profile ${config.graphScope}` : "openid profile",
        prompt: "login",
        max_age: String(freshSeconds),
      }),

    /**
     * Who came back. What else stands in the address of the callback, such as `tenant`, is never read.
     * @throws ProviderError (refused) with the code `cancelled`, or for an answer that is not this flow's or not of this tenant's
     *   issuer; (transient) when Microsoft or Graph does not answer
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
