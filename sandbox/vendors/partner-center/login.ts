/**
 * Microsoft's login host under `/microsoft-login`, as far as Partner Center needs it: the page on which one of a partner's people
 * consents, the tokens that follow, and the OpenID configuration, whose issuer contains the GUID of a domain's tenant. A domain
 * starting `unknown` has no tenant.
 */

import { createHash } from "node:crypto";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { html, page } from "../html.ts";
import { anyOrigin, guid, guidOf, isGuid, type JsonObject, originOf, readForm } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";
import type { PartnerCode } from "../state-schemas.ts";
import { issueAccessToken } from "./calls.ts";
import { type PartnerPerson, partnerId, partnerOfTenant, partnerPeople } from "./partners.ts";

const sharedTenants = ["common", "organizations", "consumers"];
const day = 24 * 3600_000;
/** Age at which a refresh token expires unless it was exchanged for a newer one. */
const refreshTokenLife = 90 * day;
const codeLife = 10 * 60_000;

export function microsoftLoginHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(anyOrigin("/microsoft-login/:tenant/oauth2/authorize"), ({ request, params }) => {
      const requested = parseAuthorizeRequest(
        sandbox,
        String(params.tenant),
        new URL(request.url).searchParams,
      );
      return typeof requested === "string"
        ? HttpResponse.html(refusedPage(requested), { status: 400 })
        : HttpResponse.html(consentPage(requested.partner));
    }),
    http.post(anyOrigin("/microsoft-login/:tenant/oauth2/authorize"), async ({ request, params }) => {
      const requested = parseAuthorizeRequest(
        sandbox,
        String(params.tenant),
        new URL(request.url).searchParams,
      );
      if (typeof requested === "string") return HttpResponse.html(refusedPage(requested), { status: 400 });
      const form = await readForm(request);
      const person = partnerPeople.find(({ id }) => id === form.get("person"));
      const back = new URL(requested.code.redirectUri);
      back.searchParams.set("state", requested.state);
      if (person === undefined || form.get("action") === "cancel") {
        back.searchParams.set("error", "access_denied");
        return HttpResponse.redirect(back.href, 302);
      }
      const code = `sandbox-code-${guid()}`;
      sandbox.state.partner.codes[code] = { ...requested.code, personId: person.id };
      await sandbox.save();
      back.searchParams.set("code", code);
      return HttpResponse.redirect(back.href, 302);
    }),
    http.post(anyOrigin("/microsoft-login/:tenant/oauth2/token"), async ({ request, params }) => {
      const answer = exchange(sandbox, String(params.tenant), await readForm(request));
      await sandbox.save();
      return answer;
    }),
    http.get(
      anyOrigin("/microsoft-login/:domain/v2.0/.well-known/openid-configuration"),
      ({ request, params }) => {
        const domain = String(params.domain).toLowerCase();
        // Not a domain: left to the handlers of the sign-in with Outlook.
        if (sharedTenants.includes(domain)) return undefined;
        if (!isGuid(domain) && (!domain.includes(".") || domain.startsWith("unknown"))) {
          return refusal(400, "invalid_tenant", 90002, `Tenant '${domain}' not found.`);
        }
        const tenant = `${originOf(request)}/microsoft-login/${tenantIdOf(domain)}`;
        return HttpResponse.json({
          issuer: `${tenant}/v2.0`,
          token_endpoint: `${tenant}/oauth2/v2.0/token`,
          authorization_endpoint: `${tenant}/oauth2/v2.0/authorize`,
          jwks_uri: `${tenant}/discovery/v2.0/keys`,
          tenant_region_scope: "AS",
        });
      },
    ),
  ];
}

/** The tenant of a domain, always the same one, customer or not. */
export function tenantIdOf(domain: string): string {
  return isGuid(domain) ? domain.toLowerCase() : guidOf(domain.toLowerCase());
}

const authorization = z.object({
  client_id: z.string(),
  response_type: z.literal("code"),
  redirect_uri: z.url(),
  resource: z.string().min(1),
  state: z.string().min(1),
  nonce: z.string().min(1),
  code_challenge: z.string().min(43),
  code_challenge_method: z.literal("S256"),
});

interface AuthorizeRequest {
  partner: Partner;
  state: string;
  code: Omit<PartnerCode, "personId">;
}

/** @returns the parsed request, or a sentence about the link's error */
function parseAuthorizeRequest(
  sandbox: Sandbox,
  tenant: string,
  query: URLSearchParams,
): AuthorizeRequest | string {
  const partner = partnerOfTenant(sandbox, tenant);
  if (partner === undefined) return `AADSTS90002: Tenant '${tenant}' not found.`;
  const read = authorization.safeParse(Object.fromEntries(query));
  if (!read.success) return `AADSTS900144: ${z.prettifyError(read.error)}`;
  const { data } = read;
  if (data.client_id !== partner.clientId)
    return "AADSTS700016: The application was not found in the directory.";
  const code = {
    country: partner.country,
    redirectUri: data.redirect_uri,
    challenge: data.code_challenge,
    nonce: data.nonce,
    issuedAt: sandbox.now(),
  };
  return { partner, state: data.state, code };
}

function exchange(sandbox: Sandbox, tenant: string, form: ReadonlyMap<string, string>): Response {
  const given = (name: string) => form.get(name) ?? "";
  if (given("client_id") === "" || given("client_secret") === "")
    return refusal(401, "invalid_client", 7000216, "'client_id' and 'client_secret' are required.");
  const partner = partnerOfTenant(sandbox, tenant);
  if (partner === undefined) return refusal(400, "invalid_request", 90002, `Tenant '${tenant}' not found.`);
  if (given("client_id") !== partner.clientId)
    return refusal(400, "unauthorized_client", 700016, "The application was not found in the directory.");
  if (given("client_secret") !== partner.clientSecret)
    return refusal(401, "invalid_client", 7000215, "Invalid client secret provided.");
  if (given("resource") === "") return refusal(400, "invalid_resource", 500011, "The resource is missing.");
  const grant = given("grant_type");
  if (grant === "client_credentials") return granted(sandbox, partner, given("resource"), null);
  if (grant === "authorization_code") return byCode(sandbox, partner, given);
  if (grant === "refresh_token") return byRefreshToken(sandbox, partner, given);
  return refusal(400, "unsupported_grant_type", 70003, `The grant type '${grant}' is not supported.`);
}

type Given = (name: string) => string;

function byCode(sandbox: Sandbox, partner: Partner, given: Given): Response {
  const { codes } = sandbox.state.partner;
  const code = codes[given("code")];
  delete codes[given("code")];
  if (code === undefined || code.country !== partner.country || sandbox.now() - code.issuedAt > codeLife)
    return refusal(400, "invalid_grant", 70008, "The provided authorization code has expired or was used.");
  if (given("redirect_uri") !== code.redirectUri)
    return refusal(400, "invalid_grant", 500112, "The reply address does not match the one of the request.");
  if (createHash("sha256").update(given("code_verifier")).digest("base64url") !== code.challenge)
    return refusal(400, "invalid_grant", 501481, "The Code_Verifier does not match the code_challenge.");
  return granted(sandbox, partner, given("resource"), { personId: code.personId, nonce: code.nonce });
}

function byRefreshToken(sandbox: Sandbox, partner: Partner, given: Given): Response {
  const token = sandbox.state.partner.refreshTokens[given("refresh_token")];
  if (token === undefined || token.country !== partner.country)
    return refusal(400, "invalid_grant", 70000, "The refresh token is not valid.");
  if (token.revoked)
    return refusal(400, "invalid_grant", 50173, "The grant was revoked; the user has to sign in again.");
  if (sandbox.now() - token.issuedAt > refreshTokenLife)
    return refusal(400, "invalid_grant", 700082, "The refresh token has expired due to inactivity.");
  return granted(sandbox, partner, given("resource"), { personId: token.personId, nonce: undefined });
}

/** @param by null when the application acts without a user */
function granted(
  sandbox: Sandbox,
  partner: Partner,
  resource: string,
  by: { personId: string; nonce: string | undefined } | null,
): Response {
  const person = partnerPeople.find(({ id }) => id === by?.personId);
  const { token, expiresInSeconds } = issueAccessToken(sandbox, {
    partner: partner.country,
    aud: resource,
    ...(person === undefined ? {} : { upn: upnOf(partner, person), amr: person.amr }),
  });
  const notBefore = sandbox.seconds();
  // This endpoint returns its numbers as strings.
  const answer = {
    token_type: "Bearer",
    expires_in: String(expiresInSeconds),
    ext_expires_in: String(expiresInSeconds),
    expires_on: String(notBefore + expiresInSeconds),
    not_before: String(notBefore),
    resource,
    access_token: token,
  };
  if (by === null || person === undefined) return HttpResponse.json(answer);
  const refreshToken = `sandbox-refresh-${guid()}`;
  sandbox.state.partner.refreshTokens[refreshToken] = {
    country: partner.country,
    personId: person.id,
    issuedAt: sandbox.now(),
    revoked: false,
  };
  return HttpResponse.json({
    ...answer,
    scope: "user_impersonation",
    refresh_token: refreshToken,
    id_token: idToken(sandbox, partner, person, by.nonce),
  });
}

/** Creates an ID token without a signature, as version 1 of this endpoint does. */
function idToken(
  sandbox: Sandbox,
  partner: Partner,
  person: PartnerPerson,
  nonce: string | undefined,
): string {
  const tid = person.id === "stranger" ? guidOf("elsewhere") : partnerId(partner.tenant);
  const claims = {
    aud: partner.clientId,
    iss: `https://sts.windows.net/${tid}/`,
    iat: sandbox.seconds(),
    exp: sandbox.seconds() + 3600,
    tid,
    name: person.name,
    upn: upnOf(partner, person),
    ...(nonce === undefined ? {} : { nonce }),
  };
  const encoded = (part: JsonObject) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return `${encoded({ typ: "JWT", alg: "none" })}.${encoded(claims)}.`;
}

const upnOf = (partner: Partner, person: PartnerPerson) => `${person.id}@${partner.tenant}`;

function refusal(status: number, error: string, code: number, description: string): Response {
  return HttpResponse.json(
    { error, error_description: `AADSTS${code}: ${description}`, error_codes: [code], timestamp: "" },
    { status },
  );
}

function refusedPage(problem: string): string {
  return page({
    title: "Sign in to Microsoft (sandbox)",
    body: html`<h1>Sorry, but we're having trouble signing you in</h1>
<p class="failed" role="alert">${problem}</p>`,
  });
}

function consentPage({ tenant, country }: Partner): string {
  const choices = partnerPeople.map(
    ({ id, name, about }, index) => html`<label class="choice">
<input type="radio" name="person" value="${id}"${index === 0 ? html` checked` : undefined}>
<span><strong>${name}</strong>: ${about}</span></label>
`,
  );
  return page({
    title: "Sign in to Microsoft (sandbox)",
    body: html`<h1>Let the store act for you</h1>
<p class="note">Sandbox page: it stands in for Microsoft's sign-in to <strong>${tenant}</strong>, the partner in ${country}. Choose who you are.</p>
<form method="post">
<fieldset><legend>Account</legend>
${choices}</fieldset>
<div class="buttons"><button class="button main" name="action" value="sign-in">Accept</button>
<button class="button" name="action" value="cancel">Cancel</button></div>
</form>`,
  });
}
