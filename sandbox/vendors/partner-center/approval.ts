/**
 * The page where a tenant's administrator accepts the partner relationship. As with Microsoft, there is one link for all
 * customers, and the accepting tenant is known from the sign-in, which a form field replaces here. Afterwards the tenant is a
 * customer.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { html, page } from "../html.ts";
import { anyOrigin, readForm } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { addCustomer } from "./customers.ts";
import { tenantIdOf } from "./login.ts";
import { partnerOfTenant } from "./partners.ts";

const path = "/partner-center/approve";

export function partnerApprovalHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(anyOrigin(path), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const partner = query.get("partnerId") ?? "";
      return HttpResponse.html(formPage(query.get("username") ?? query.get("domain") ?? "", partner));
    }),
    http.post(anyOrigin(path), async ({ request }) => {
      const form = await readForm(request);
      const username = form.get("username") ?? "";
      const partner = form.get("partnerId") ?? "";
      const domain = approve(sandbox, username, partnerOfTenant(sandbox, partner)?.country);
      if (domain === undefined) {
        const problem = "Enter a known username or domain of a company in the partner's country.";
        return HttpResponse.html(formPage(username, partner, problem), { status: 400 });
      }
      await sandbox.save();
      return HttpResponse.html(donePage(domain));
    }),
  ];
}

/**
 * Accepts for a tenant named by one of its users or its domain.
 * @param country the accepted partner's; the first partner's unless given
 * @returns the domain, or undefined when there is no such tenant, or none in that country
 */
export function approve(
  sandbox: Sandbox,
  username: string,
  country = sandbox.options.partners[0]?.country ?? "",
): string | undefined {
  const domain = username.trim().toLowerCase().split("@").at(-1) ?? "";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) || domain.startsWith("unknown")) return undefined;
  const known = sandbox.state.partner.customers[tenantIdOf(domain)];
  if (known !== undefined) return known.country === country ? domain : undefined;
  addCustomer(sandbox, { domain, source: "approved", country });
  sandbox.count("relationship.approve");
  return domain;
}

function formPage(username: string, partnerId: string, problem?: string): string {
  return page({
    title: "Approve partner relationship (sandbox)",
    body: html`<h1>Accept a reseller relationship</h1>
<p class="note">Sandbox partner page: it stands in for signing in as the administrator of your Microsoft 365 account.</p>
${problem === undefined ? undefined : html`<p class="failed" role="alert">${problem}</p>`}
<form method="post" action="${path}">
<input type="hidden" name="partnerId" value="${partnerId}">
<label class="field">Your Microsoft 365 username or domain
<input name="username" value="${username}" required autocomplete="off" placeholder="admin@contoso.onmicrosoft.com"></label>
<div class="buttons"><button class="button main">Approve</button></div>
</form>`,
  });
}

function donePage(domain: string): string {
  return page({
    title: "Approved (sandbox)",
    body: html`<h1>Approved</h1>
<p role="status">The relationship with <strong>${domain}</strong> is accepted. You may close this window.</p>`,
  });
}
