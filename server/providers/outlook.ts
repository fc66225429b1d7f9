/**
 * Sign-in at Microsoft (Entra ID) with any account: the person who comes back, and whether their email is verified. The
 * accounts module maps that person to a user of the store.
 */
import { z } from "zod";
import { ProviderError, unexpectedAnswer } from "./errors.ts";
import type { OnCall } from "./http.ts";
import { createOpenIdClient, type OpenIdFlow, personalTenant } from "./openid.ts";

export interface OutlookConfig {
  /** `https://login.microsoftonline.com/common/v2.0`. Plain http only on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** The state kept in a signed cookie between leaving and coming back. */
export type OutlookFlow = OpenIdFlow;

export interface OutlookPerson {
  /** Together with `subject` the only stable id of this identity. Emails change hands, this pair does not. */
  issuer: string;
  subject: string;
  /** As Microsoft reports it. Unless verified, it may be anybody's. Null when there is no plausible address. */
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
  /** "Email domain owner verified": the tenant has proved that it owns the address's domain. */
  xms_edov: z.unknown().optional(),
});
type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z
  .string()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);

export function createOutlook(config: OutlookConfig): Outlook {
  const client = createOpenIdClient({ ...config, provider: "outlook" });
  return {
    /**
     * Where to send the browser, and the state it must bring back.
     * @param redirectUri the store's callback, exactly as registered at Microsoft
     * @throws ProviderError when the provider cannot be reached
     */
    begin: (redirectUri) =>
      client.begin(redirectUri, {
        scope: "openid profile email",
        // Logging out of the store does not log out of Microsoft. The account picker keeps the next person at this screen
        // from signing in as the previous one.
        prompt: "select_account",
      }),

    /**
     * The person who came back.
     * @param redirectUri the same as for `begin`
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
 * Any tenant's administrator can enter any address as a user's email (nOAuth), so only these two cases count as proved.
 * Microsoft itself verifies the emails of personal accounts.
 */
function isTrustworthy({ tid, xms_edov: verified }: Claims): boolean {
  return (
    tid === personalTenant || verified === true || verified === 1 || verified === "true" || verified === "1"
  );
}
