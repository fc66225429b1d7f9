/**
 * Sign-in with Outlook, played by a certified OpenID provider (oidc-provider) under `/microsoft-login/common/v2.0`, with a page of
 * its own to choose who signs in. It is no MSW handler, since it speaks Node's own HTTP.
 *
 * One thing differs from Microsoft: there every tenant is an issuer of its own behind the address "common". The client library
 * takes that from Microsoft's host alone, so here the issuer is the address, and the tenant is a claim.
 */

import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { exportJWK, generateKeyPair } from "jose";
import { type Configuration, errors, interactionPolicy, Provider } from "oidc-provider";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import { type JsonObject, jsonObject } from "../wire.ts";
import { memory } from "./adapter.ts";
import type { OutlookPerson } from "./entities.ts";
import { choicePage, lostPage } from "./pages.ts";
import { claimsOf, fixedPeople, remember, typedPerson } from "./people.ts";

/** The store as it is registered at Microsoft. */
export interface OutlookClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export const outlookPath = "/microsoft-login/common/v2.0";

/** @param origin where this sandbox answers */
export async function createOutlookProvider(
  sandbox: Sandbox,
  client: OutlookClient,
  origin: string,
): Promise<Router> {
  const provider = new Provider(`${origin}${outlookPath}`, await configure(sandbox, client));
  provider.on("server_error", (_ctx, error) =>
    sandbox.options.log("outlook provider failed", { error: String(error) }),
  );
  const router = express.Router();
  router.get(
    "/choose/:uid",
    guarded((req, res) => choose(provider, req, res)),
  );
  router.post(
    "/choose/:uid",
    express.urlencoded({ extended: false, limit: "64kb" }),
    guarded((req, res) => chosen(sandbox, provider, req, res)),
  );
  const answer = provider.callback();
  router.use(guarded((req, res) => answer(req, res)));
  return router;
}

async function configure(sandbox: Sandbox, client: OutlookClient): Promise<Configuration> {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  return {
    adapter: memory(Date.now),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [await signingKey(sandbox)] },
    claims: {
      openid: ["sub", "tid", "oid"],
      email: ["email", "xms_edov"],
      profile: ["name", "preferred_username"],
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    // As at Microsoft, the ID token itself has the claims of the scopes.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${outlookPath}/choose/${uid}` },
    findAccount: (_ctx, subject) => {
      const claims = claimsOf(sandbox, subject);
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    // Nobody is asked to consent: the store's administrator did, when it was registered.
    async loadExistingGrant(ctx) {
      const { provider, client: asking, session, params } = ctx.oidc;
      const grant = new provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(String(params?.scope ?? "openid"));
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = "html";
      ctx.body = lostPage(`${error}: ${description ?? ""}`);
    },
  };
}

/** Kept over a restart: the store may still hold the public part. */
async function signingKey(sandbox: Sandbox): Promise<JsonObject> {
  const { outlook } = sandbox.state;
  if (outlook.signingKey === null) {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    outlook.signingKey = jsonObject.parse({ ...(await exportJWK(privateKey)), use: "sig", alg: "RS256" });
    await sandbox.save();
  }
  return outlook.signingKey;
}

async function choose(provider: Provider, req: Request, res: Response): Promise<void> {
  await provider.interactionDetails(req, res);
  res.type("html").send(choicePage(req.originalUrl));
}

const formSchema = z.object({
  person: z.string().optional(),
  email: z.string().max(200).default(""),
  name: z.string().max(200).default(""),
  verified: z.enum(["yes", "no"]).default("no"),
  action: z.enum(["sign-in", "cancel"]),
});

async function chosen(sandbox: Sandbox, provider: Provider, req: Request, res: Response): Promise<void> {
  const form = formSchema.safeParse(req.body);
  if (!form.success) {
    res.status(400).type("html").send(choicePage(req.originalUrl, "Choose somebody."));
    return;
  }
  if (form.data.action === "cancel") {
    await provider.interactionFinished(req, res, {
      error: "access_denied",
      error_description: "AADSTS65004: User declined to consent to access the app.",
    });
    return;
  }
  const person: OutlookPerson =
    fixedPeople.find(({ id }) => id === form.data.person) ??
    typedPerson({ ...form.data, verified: form.data.verified === "yes" });
  const accountId = remember(sandbox, person);
  sandbox.count("outlook.sign-in");
  await sandbox.save();
  await provider.interactionFinished(
    req,
    res,
    { select_account: {}, login: { accountId, remember: false } },
    { mergeWithLastSubmission: false },
  );
}

/** Passes failures on to Express; an address from another day says so. */
function guarded(handle: (req: Request, res: Response) => Promise<void>) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    try {
      await handle(req, res);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) {
        res
          .status(400)
          .type("html")
          .send(lostPage("This sign-in is over, or it belongs to another browser."));
      } else next(error);
    }
  };
}
