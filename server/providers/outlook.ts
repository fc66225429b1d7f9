/**
 * Signing in at Microsoft (Entra ID) with whichever account: who comes back, and whether their email is verified. Who that person
 * is to the store is the accounts' business.
 */
import { z } from "zod";
import { ProviderError, unexpectedAnswer } from "./errors.ts";
import type { OnCall } from "./http.ts";
import { createOpenIdClient, type OpenIdFlow, personalTenant } from "./openid.ts";

export interface OutlookConfig {
  /** `https://login.microsoftonline.com/common/v2.0`; plain http only on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** What the browser keeps between leaving and coming back; for a signed cookie. */
export type OutlookFlow = OpenIdFlow;

export interface OutlookPerson {
  /** With `subject` the only name of this identity: emails change hands, this pair does not. */
  issuer: string;
  subject: string;
  /** As Microsoft tells it; anybody's, unless it is verified. Null when there is none that could be one. */
  email: string | null;
  emailIsVerified: boolean;
  firstName: string;
  lastName: string;
}

export interface Outlook {
  begin(redirectUri: string): Promise<{ url: string; flow: OutlookFlow }>;
  finish(redirectUri: string, answer: URLSearchParams, flow: OutlookFlow): Promise<OutlookPerson>;
}

export { cancelled } from "./openid.ts";

const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  tid: z.string().optional(),
  email: z.string().trim().optional(),
  name: z.string().trim().optional(),
  given_name: z.string().trim().optional(),
  family_name: z.string().trim().optional(),
  /** "Email domain owner verified": the tenant has proven that the address's domain is its own. */
  xms_edov: z.unknown().optional(),
});
type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z
  .string()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);

/** A client of Microsoft's sign-in. */
export function createOutlook(config: OutlookConfig): Outlook {
  const client = createOpenIdClient({ ...config, provider: "outlook" });
  return {
    /**
     * Where to send the browser, and what it must bring back.
     * @param redirectUri the store's callback, exactly as it is registered at Microsoft
     * @throws ProviderError when the provider cannot be reached
     */
    begin: (redirectUri) =>
      client.begin(redirectUri, {
        scope: "openid profile email",
        // Logging out of the store does not log out of Microsoft: the next at this screen must not become the last.
        prompt: "select_account",
      }),

    /**
     * Who came back.
     * @param redirectUri as it was at the beginning
     * @param answer the query of the callback
     * @throws ProviderError as the client's `finish`
     */
    async finish(redirectUri, answer, flow) {
      const { claims } = await client.finish(redirectUri, answer, flow);
      const read = claimsSchema.safeParse(claims);
      if (!read.success) {
        throw new ProviderError("outlook", "refused", "token", { code: unexpectedAnswer });
      }
      return personOf(read.data);
    },
  };
}

function personOf(claims: Claims): OutlookPerson {
  const email = emailSchema.safeParse(claims.email);
  const [firstName = "", ...rest] = (claims.name ?? "").split(/\s+/);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.success ? email.data : null,
    emailIsVerified: email.success && isTrustworthy(claims),
    firstName: (claims.given_name ?? firstName).slice(0, 200),
    lastName: (claims.family_name ?? rest.join(" ")).slice(0, 200),
  };
}

/**
 * Any tenant's administrator can write any address into a user's email: only these two have been proven (nOAuth). Microsoft
 * verifies the emails of personal accounts itself.
 */
function isTrustworthy({ tid, xms_edov: verified }: Claims): boolean {
  return (
    tid === personalTenant || verified === true || verified === 1 || verified === "true" || verified === "1"
  );
}
