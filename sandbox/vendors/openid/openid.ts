/**
 * An issuer of sign-ins, Microsoft's or Google's, played by a certified OpenID provider (oidc-provider) with a page of its own to choose who signs
 * in. It is no MSW handler, since it speaks Node's own HTTP.
 */
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { exportJWK, generateKeyPair } from "jose";
import { type Configuration, errors, interactionPolicy, Provider } from "oidc-provider";
import { z } from "zod";
import { type JsonObject, jsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { memory } from "./adapter.ts";
import { signInErrorPage } from "./pages.ts";

/** The store as it is registered at the provider. */
export interface OpenIdClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

export interface ChosenPerson {
  accountId: string;
  /** Unix seconds; now, unless told otherwise. */
  authenticatedAt?: number;
}

/** What one issuer is, beyond what all of them share. */
export interface Issuer {
  /** The address it answers at, which is its name too. */
  issuer: string;
  /** Which claims an ID token has for each scope. */
  claims: Readonly<Record<string, string[]>>;
  /** Scopes beyond those of OpenID. */
  scopes?: readonly string[];
  claimsOf(subject: string): JsonObject | undefined;
  /** @param action where the form goes: back to the address it is on */
  page(action: string, problem?: string): string;
  /** Who the posted form chooses; undefined for nobody. */
  choose(form: unknown): ChosenPerson | undefined;
  /** Where the key that signs its ID tokens is kept. */
  keys(): SigningKey;
  /** What is counted when somebody signs in. */
  counted: string;
  /** How it says, beside `access_denied`, that somebody pressed Cancel; nothing where it says no more. */
  declined?: string;
  /** What it says of a refusal at the token endpoint, by the error's code, in place of the library's words. */
  refusals?: Readonly<Record<string, string>>;
  /** What its page says of a request that it refuses. @param code as OpenID names it */
  refused?(code: string): string | undefined;
  /** Whether the code that this person brings back is too old by then. */
  isLate?(accountId: string): boolean;
  /** What the address that the browser goes back to says besides. */
  alsoSaid?(accountId: string): Readonly<Record<string, string>>;
}

/** A state of the sandbox in which a key is kept. */
export interface SigningKey {
  /** Private; made at the first start. */
  signingKey: JsonObject | null;
}

export interface SimulatedIssuer {
  router: Router;
  /** Whose access token this is, and for which scope; undefined when it is not of this issuer, or over. */
  holderOf(accessToken: string): Promise<{ accountId: string; scope: string } | undefined>;
}

export async function createOpenIdProvider(
  sandbox: Sandbox,
  client: OpenIdClient,
  issuer: Issuer,
): Promise<SimulatedIssuer> {
  const provider = new Provider(issuer.issuer, await configure(sandbox, client, issuer));
  provider.on("server_error", (_ctx, error) =>
    sandbox.options.log("OpenID provider failed", { error: String(error) }),
  );
  provider.use(async (ctx, next) => {
    await next();
    const refusal = refusalSchema.safeParse(ctx.body);
    const words = refusal.success ? issuer.refusals?.[refusal.data.error] : undefined;
    if (refusal.success && words !== undefined) ctx.body = { ...refusal.data, error_description: words };
    const to = ctx.response.get("location");
    const accountId = ctx.oidc?.session?.accountId;
    if (accountId === undefined || !isCallback(client, to)) return;
    const said = new URL(to);
    if (issuer.isLate?.(accountId) === true) {
      const code = await provider.AuthorizationCode.find(said.searchParams.get("code") ?? "");
      await code?.destroy();
    }
    if (issuer.alsoSaid === undefined) return;
    for (const [name, value] of Object.entries(issuer.alsoSaid(accountId)))
      said.searchParams.set(name, value);
    ctx.set("location", said.href);
  });
  const router = express.Router();
  router.get(
    "/choose/:uid",
    guarded(async (req, res) => {
      await provider.interactionDetails(req, res);
      res.type("html").send(issuer.page(req.originalUrl));
    }),
  );
  router.post(
    "/choose/:uid",
    express.urlencoded({ extended: false, limit: "64kb" }),
    guarded((req, res) => chosen(sandbox, provider, issuer, req, res)),
  );
  const answer = provider.callback();
  router.use(guarded((req, res) => answer(req, res)));
  return {
    router,
    async holderOf(accessToken) {
      const token = await provider.AccessToken.find(accessToken);
      if (token?.accountId === undefined || token.isExpired) return undefined;
      return { accountId: token.accountId, scope: token.scope ?? "" };
    },
  };
}

const refusalSchema = z.looseObject({ error: z.string() });

function isCallback({ redirectUris }: OpenIdClient, address: string): boolean {
  return redirectUris.some((uri) => address.startsWith(`${uri}?`));
}

async function configure(sandbox: Sandbox, client: OpenIdClient, issuer: Issuer): Promise<Configuration> {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  const path = new URL(issuer.issuer).pathname;
  return {
    adapter: memory(Date.now),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...client.redirectUris],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [await signingKey(sandbox, issuer.keys())] },
    claims: { ...issuer.claims },
    scopes: ["openid", ...(issuer.scopes ?? [])],
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    // As at both, the ID token itself has the claims of the scopes.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${path}/choose/${uid}` },
    findAccount: (_ctx, subject) => {
      const claims = issuer.claimsOf(subject);
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    // Nobody is asked to consent beyond choosing who they are.
    async loadExistingGrant(ctx) {
      const { provider, client: asking, session, params } = ctx.oidc;
      const grant = new provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(String(params?.scope ?? "openid"));
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = "html";
      ctx.body = signInErrorPage(issuer.refused?.(error) ?? `${error}: ${description ?? ""}`);
    },
  };
}

/** Kept over a restart: the store may still hold the public part. */
async function signingKey(sandbox: Sandbox, kept: SigningKey): Promise<JsonObject> {
  if (kept.signingKey === null) {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    kept.signingKey = jsonObject.parse({ ...(await exportJWK(privateKey)), use: "sig", alg: "RS256" });
    await sandbox.save();
  }
  return kept.signingKey;
}

const actionSchema = z.object({ action: z.enum(["sign-in", "cancel"]) });

async function chosen(
  sandbox: Sandbox,
  provider: Provider,
  issuer: Issuer,
  req: Request,
  res: Response,
): Promise<void> {
  const parsedQuery = actionSchema.safeParse(req.body);
  const choice = issuer.choose(req.body);
  if (parsedQuery.data?.action === "cancel") {
    await provider.interactionFinished(req, res, {
      error: "access_denied",
      ...(issuer.declined !== undefined && { error_description: issuer.declined }),
    });
    return;
  }
  if (!parsedQuery.success || choice === undefined) {
    res.status(400).type("html").send(issuer.page(req.originalUrl, "Choose somebody."));
    return;
  }
  sandbox.count(issuer.counted);
  await sandbox.save();
  const { accountId, authenticatedAt: ts } = choice;
  await forgetLast(provider, req, res);
  await provider.interactionFinished(
    req,
    res,
    {
      select_account: {},
      login: { accountId, remember: false, ...(ts !== undefined && { ts }) },
    },
    { mergeWithLastSubmission: false },
  );
}

/** Whoever signed in before in this browser is signed out: the provider would ask for a click on a page of its own first. */
async function forgetLast(provider: Provider, req: Request, res: Response): Promise<void> {
  const interaction = await provider.interactionDetails(req, res);
  const { session: last } = interaction;
  const session = last === undefined ? undefined : await provider.Session.findByUid(last.uid);
  if (session?.accountId === undefined) return;
  delete session.accountId;
  await session.persist();
  // The provider ends a sign-in whose session is no longer of the person it began with, so that this one begins with nobody.
  delete interaction.session;
  await interaction.persist();
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
          .send(signInErrorPage("This sign-in is over, or it belongs to another browser."));
      } else next(error);
    }
  };
}
