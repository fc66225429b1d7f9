/**
 * Sign-in to one tenant at Microsoft, under `/microsoft-login/{tenant id}/v2.0`: each tenant is a separate issuer, as at
 * Microsoft. And from Microsoft Graph, under `/microsoft-graph/v1.0`, the roles of the signed-in person.
 */
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { html, page } from "../html.ts";
import { createOpenIdProvider, type OpenIdClient, type SimulatedIssuer } from "../openid/openid.ts";
import { microsoftDeclined } from "../outlook/provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { claimsOfTenantPerson, tenantPeople, tenantPerson } from "./people.ts";

/** Scope that the sandbox's Graph requires. The store has a setting for its scope, because Microsoft may require another one. */
const graphScope = "https://graph.microsoft.com/Directory.Read.All";

export const entraPath = "/microsoft-login/:tenant([0-9a-fA-F-]{36})/v2.0";
export const graphPath = "/microsoft-graph/v1.0/me/memberOf/microsoft.graph.directoryRole";

export interface SimulatedEntra {
  signIn: RequestHandler;
  graph: RequestHandler;
}

/** @param origin the sandbox's address */
export function createEntraProvider(sandbox: Sandbox, client: OpenIdClient, origin: string): SimulatedEntra {
  const issuers = new Map<string, Promise<SimulatedIssuer>>();

  function issuerOf(tenant: string): Promise<SimulatedIssuer> {
    const known = issuers.get(tenant) ?? play(sandbox, client, origin, tenant);
    issuers.set(tenant, known);
    return known;
  }

  async function signIn(req: Request, res: Response, next: NextFunction): Promise<void> {
    const { router } = await issuerOf(String(req.params.tenant).toLowerCase());
    router(req, res, next);
  }

  async function graph(req: Request, res: Response): Promise<void> {
    const token = /^Bearer (.+)$/.exec(req.get("authorization") ?? "")?.[1] ?? "";
    const all = await Promise.all([...issuers.values()]);
    const found = await Promise.all(all.map((issuer) => issuer.holderOf(token)));
    const holder = found.find((each) => each !== undefined);
    if (holder === undefined) {
      const message = "Access token validation failure.";
      res.status(401).json({ error: { code: "InvalidAuthenticationToken", message } });
      return;
    }
    if (!holder.scope.split(" ").includes(graphScope)) {
      const message = "Insufficient privileges to complete the operation.";
      res.status(403).json({ error: { code: "Authorization_RequestDenied", message } });
      return;
    }
    const person = tenantPerson(holder.accountId);
    const value = (person?.roles ?? []).map((roleTemplateId) => ({
      "@odata.type": "#microsoft.graph.directoryRole",
      roleTemplateId,
    }));
    res.json({ "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#directoryRoles", value });
  }

  const passing =
    (handle: typeof signIn): RequestHandler =>
    (req, res, next) => {
      handle(req, res, next).catch(next);
    };
  return { signIn: passing(signIn), graph: passing(graph) };
}

const noMore: Readonly<Record<string, string>> = {};

const formSchema = z.object({ person: z.string() });

function play(
  sandbox: Sandbox,
  client: OpenIdClient,
  origin: string,
  tenant: string,
): Promise<SimulatedIssuer> {
  return createOpenIdProvider(sandbox, client, {
    issuer: `${origin}/microsoft-login/${tenant}/v2.0`,
    claims: {
      openid: ["sub", "ver", "tid", "oid", "acct", "idp", "wids"],
      profile: ["name", "preferred_username"],
    },
    scopes: [graphScope],
    keys: () => sandbox.state.outlook,
    counted: "entra.sign-in",
    declined: microsoftDeclined,
    claimsOf(subject) {
      const person = tenantPerson(subject);
      return person && claimsOfTenantPerson(person, tenant);
    },
    page: (action, problem) => choicePage(domainOf(sandbox, tenant), action, problem),
    choose(posted) {
      const form = formSchema.safeParse(posted);
      const person = form.success ? tenantPerson(form.data.person) : undefined;
      if (person === undefined) return undefined;
      const { id: accountId, signedInAgo = 0 } = person;
      return { accountId, authenticatedAt: Math.floor(Date.now() / 1_000) - signedInAgo };
    },
    alsoSaid: (accountId) =>
      tenantPerson(accountId)?.forgesTenant === true ? { tenant, admin_consent: "True" } : noMore,
  });
}

/** Domain of a tenant, if the sandbox knows it. */
function domainOf(sandbox: Sandbox, tenant: string): string {
  return sandbox.state.partner.customers[tenant]?.domain ?? tenant;
}

function choicePage(tenant: string, action: string, problem?: string): string {
  const choices = tenantPeople.map(
    ({ id, name, about }, index) => html`<label class="choice">
<input type="radio" name="person" value="${id}"${index === 0 ? html` checked` : undefined}>
<span><strong>${name}</strong>: ${about}</span></label>
`,
  );
  return page({
    title: "Sign in to Microsoft (sandbox)",
    body: html`<h1>Sign in to Microsoft</h1>
<p class="note">Sandbox page: it stands in for Microsoft's sign-in to <strong>${tenant}</strong>. Choose who you are.</p>
${problem === undefined ? undefined : html`<p class="failed" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<fieldset><legend>Account</legend>
${choices}</fieldset>
<div class="buttons"><button class="button main" name="action" value="sign-in">Sign in</button>
<button class="button" name="action" value="cancel">Cancel</button></div>
</form>`,
  });
}
