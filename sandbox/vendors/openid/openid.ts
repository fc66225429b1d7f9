/**
 * An issuer of sign-ins, Microsoft's or Google's, simulated by a certified OpenID provider (oidc-provider) with our page for
 * choosing who signs in. It is not an MSW handler, because it uses Node's own HTTP.
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
  /** Unix seconds; defaults to now. */
  authenticatedAt?: number;
}

/** Properties in which issuers differ. */
export interface Issuer {
  /** Its address, which is also its name. */
  issuer: string;
  /** The ID token's claims for each scope. */
  claims: Readonly<Record<string, string[]>>;
  /** Scopes beyond those of OpenID. */
  scopes?: readonly string[];
  claimsOf(subject: string): JsonObject | undefined;
  /** @param action target of the form: the page's own address */
  page(action: string, problem?: string): string;
  /** Person chosen by the posted form; undefined for nobody. */
  choose(form: unknown): ChosenPerson | undefined;
  /** State that holds the key that signs its ID tokens. */
  keys(): SigningKey;
  /** Name under which sign-ins are counted. */
  counted: string;
  /** Error that reports Cancel, in addition to `access_denied`; left out where it adds nothing. */
  declined?: string;
  /** Messages of the token endpoint's refusals by error code, instead of the library's. */
  refusals?: Readonly<Record<string, string>>;
  /** Text on its page for a request that it refuses. @param code OpenID's error code */
  refused?(code: string): string | undefined;
  /** Whether this person's code is too old when they bring it back. */
  isLate?(accountId: string): boolean;
  /** Additional parameters in the redirect back to the store. */
  alsoSaid?(accountId: string): Readonly<Record<string, string>>;
}

/** The part of the sandbox's state that holds a key. */
export interface SigningKey {
  /** Private key; created at the first start. */
  signingKey: JsonObject | null;
}

export interface SimulatedIssuer {
  router: Router;
  /** Holder and scope of this access token; undefined when it is another issuer's, or expired. */
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
    // As at both issuers, the ID token itself contains the claims of the scopes.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${path}/choose/${uid}` },
    findAccount: (_ctx, subject) => {
      const claims = issuer.claimsOf(subject);
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    // Choosing a person is the only consent that is asked for.
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

/** Kept across restarts: the store may still hold the public part. */
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

/**
 * Signs out the person who signed in before in this browser: the provider would otherwise show its own confirmation page first.
 */
async function forgetLast(provider: Provider, req: Request, res: Response): Promise<void> {
  const interaction = await provider.interactionDetails(req, res);
  const { session: last } = interaction;
  const session = last === undefined ? undefined : await provider.Session.findByUid(last.uid);
  if (session?.accountId === undefined) return;
  delete session.accountId;
  await session.persist();
  // The provider ends a sign-in whose session no longer belongs to its first person, so begin without one.
  delete interaction.session;
  await interaction.persist();
}

/** Passes failures on to Express; an expired address gets an explanation. */
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
