/**
 * Google's token endpoint, `/google-token/token`: an access token for a JWT signed by a service account, acting for the user it
 * names (`sub`). Signatures are not checked, because nobody here has the public key; an `iss` starting `unknown` is refused.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { anyOrigin, readForm } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { issueToken } from "../tokens.ts";
import { googleIssuer } from "./calls.ts";

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const maxLifetimeSeconds = 3600;

const header = z.object({ alg: z.literal("RS256") });
const assertion = z.object({
  iss: z.string().min(1),
  sub: z.email(),
  scope: z.string().min(1),
  aud: z.string().min(1),
  iat: z.number(),
  exp: z.number(),
});

export function googleTokenHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(anyOrigin("/google-token/token"), async ({ request }) => {
      const form = await readForm(request);
      const grant = form.get("grant_type") ?? "";
      if (grant !== grantType) return refusal("unsupported_grant_type", `Invalid grant_type: ${grant}`);
      const claims = claimsOf(form.get("assertion") ?? "");
      if (claims === undefined)
        return refusal("invalid_grant", "Bad Request: the assertion is not a signed JWT.");
      // Compares only its own two times: the sandbox's clock may have been moved, unlike the caller's.
      if (claims.exp <= claims.iat || claims.exp - claims.iat > maxLifetimeSeconds) {
        return refusal(
          "invalid_grant",
          "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.",
        );
      }
      if (claims.iss.startsWith("unknown"))
        return refusal("invalid_grant", "Invalid grant: account not found");
      const { token, expiresInSeconds } = issueToken(sandbox, googleIssuer, {
        sub: claims.sub,
        scope: claims.scope,
      });
      return HttpResponse.json({
        access_token: token,
        scope: claims.scope,
        expires_in: expiresInSeconds,
        token_type: "Bearer",
      });
    }),
  ];
}

function claimsOf(jwt: string): z.infer<typeof assertion> | undefined {
  const [first, second, signature] = jwt.split(".");
  if (signature === undefined || signature === "") return undefined;
  try {
    header.parse(partOf(first));
    return assertion.parse(partOf(second));
  } catch {
    return undefined;
  }
}

function partOf(part = ""): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

function refusal(error: string, error_description: string) {
  return HttpResponse.json({ error, error_description }, { status: 400 });
}
