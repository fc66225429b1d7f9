/**
 * Microsoft's login host under `/microsoft-login`, as far as Partner Center needs it: tokens (app-only, and app+user by a refresh
 * token which rotates), and the OpenID configuration in whose issuer a domain's tenant GUID is found. A refresh token starting
 * `expired` is refused; a domain starting `unknown` has no tenant.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { at, guid, guidOf, isGuid, originOf, readForm } from "../wire.ts";
import { issueAccessToken } from "./calls.ts";

const sharedTenants = ["common", "organizations", "consumers"];

export function microsoftLoginHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(at("/microsoft-login/:tenant/oauth2/token"), async ({ request }) => {
      const form = await readForm(request);
      const given = (name: string) => form.get(name) ?? "";
      if (given("client_id") === "" || given("client_secret") === "") {
        return refusal(401, "invalid_client", "AADSTS7000216: 'client_id' and 'client_secret' are required.");
      }
      if (given("resource") === "")
        return refusal(400, "invalid_resource", "AADSTS500011: The resource is missing.");
      const grant = given("grant_type");
      if (grant !== "client_credentials" && grant !== "refresh_token") {
        return refusal(
          400,
          "unsupported_grant_type",
          `AADSTS70003: The grant type '${grant}' is not supported.`,
        );
      }
      const refresh = given("refresh_token");
      if (grant === "refresh_token" && (refresh === "" || refresh.startsWith("expired"))) {
        return refusal(
          400,
          "invalid_grant",
          "AADSTS700082: The refresh token has expired due to inactivity.",
        );
      }
      const { token, expiresInSeconds } = issueAccessToken(sandbox);
      const notBefore = sandbox.seconds();
      // This endpoint writes its numbers as strings.
      return HttpResponse.json({
        token_type: "Bearer",
        expires_in: String(expiresInSeconds),
        ext_expires_in: String(expiresInSeconds),
        expires_on: String(notBefore + expiresInSeconds),
        not_before: String(notBefore),
        resource: given("resource"),
        access_token: token,
        ...(grant === "refresh_token"
          ? { scope: "user_impersonation", refresh_token: `sandbox-refresh-${guid()}` }
          : {}),
      });
    }),
    http.get(at("/microsoft-login/:domain/v2.0/.well-known/openid-configuration"), ({ request, params }) => {
      const domain = String(params.domain).toLowerCase();
      // Not a domain: left to whoever plays the sign-in with Outlook.
      if (sharedTenants.includes(domain)) return undefined;
      if (!isGuid(domain) && (!domain.includes(".") || domain.startsWith("unknown"))) {
        return refusal(400, "invalid_tenant", `AADSTS90002: Tenant '${domain}' not found.`);
      }
      const tenant = `${originOf(request)}/microsoft-login/${tenantIdOf(domain)}`;
      return HttpResponse.json({
        issuer: `${tenant}/v2.0`,
        token_endpoint: `${tenant}/oauth2/v2.0/token`,
        authorization_endpoint: `${tenant}/oauth2/v2.0/authorize`,
        jwks_uri: `${tenant}/discovery/v2.0/keys`,
        tenant_region_scope: "AS",
      });
    }),
  ];
}

/** The tenant of a domain, the same one always, whether or not it is a customer yet. */
export function tenantIdOf(domain: string): string {
  return isGuid(domain) ? domain.toLowerCase() : guidOf(domain.toLowerCase());
}

function refusal(status: number, error: string, description: string) {
  return HttpResponse.json(
    { error, error_description: description, error_codes: [], timestamp: "" },
    { status },
  );
}
