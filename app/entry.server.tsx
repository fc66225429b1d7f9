/**
 * Renders complete documents with the security headers, and inline styles for routes that want them. A shared proxy may cache a
 * document that is the same for everyone. Any other document is private to its visitor and allows its scripts by this response's
 * nonce.
 */
import { createHash } from "node:crypto";
import { routes } from "virtual:routes";
import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { brand } from "#server/foundation/brand.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { encode, encodingFor, headersOf } from "#server/foundation/web/encoding.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import { requireDatabase } from "#server/operations/start-checks.ts";
import { formatTime } from "#server/orders/subscriptions/dates.ts";
import { jsonResponseIn } from "./api/shared/page-or-json.ts";
import { webContext } from "./http/context.ts";
import { languageOf } from "./http/language.ts";
import { messagesUrl } from "./http/messages.ts";
import { beginMonitoring } from "./http/monitoring.ts";
import { renderForReact, renderStatic } from "./http/render.ts";
import { impersonationOf } from "./http/request-context.ts";
import { applySecurityHeaders } from "./http/security-headers.ts";
import stylesUrl from "./styles/app.css?url";
import deskStylesUrl from "./styles/desk.css?url";
import landingStyles from "./styles/landing.css?inline";
import pageStylesUrl from "./styles/pages.css?url";
import { type DocumentContents, DocumentContext } from "./ui/document-context.ts";
import { type Handle, hasHandleFlag } from "./ui/handle.ts";
import { TextProvider } from "./ui/text.tsx";

// Checked at startup: a process without its preload, a setting, a migration or a reference row must not begin to serve.
try {
  await requireDatabase(webContext(), builtMigrations);
  await beginMonitoring(routes);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

const landingStylesHash = sourceHash(landingStyles);
/**
 * Browsers always revalidate. A proxy may serve its copy for a few seconds, and a stale one while it revalidates. Price changes
 * can appear on these pages with that delay, but an order is always priced from the database.
 */
const forEveryone = "public, max-age=0, s-maxage=5, stale-while-revalidate=30";
/** The fields of the root loader's data that describe the visitor. */
const visitor = ["user", "stored", "notification"] as const;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const call = jsonResponseIn(loadContext);
  if (call !== null) return call;
  const { env } = webContext();
  const language = await languageOf(request);
  const nonce = crypto.randomUUID();
  const view = await viewIn(request, language);
  const inlineStyles = asks(remixContext, "inlineStyles");
  const isHydrated = asks(remixContext, "hydrate");
  const ownRoutes = ofItsRoutes(remixContext);
  const document = (
    <DocumentContext.Provider
      value={{
        nonce,
        styles: landingStyles,
        language,
        messages: messagesUrl[language],
        brand,
        view,
        drawsIcons: asks(remixContext, "pageStyles") && !isHydrated,
      }}
    >
      <TextProvider value={textIn(language)}>
        <RemixServer context={ownRoutes} url={request.url} nonce={nonce} />
      </TextProvider>
    </DocumentContext.Provider>
  );
  const data = () => (ownRoutes.renderMeta?.didRenderScripts ? remixContext.serverHandoffStream : undefined);
  const html = isHydrated ? await renderForReact(document, { nonce, data }) : renderStatic(document);

  headers.set("Content-Type", "text/html; charset=utf-8");
  passOn(
    ["Retry-After", "Allow", "Refresh", "X-Robots-Tag", "Cross-Origin-Opener-Policy"],
    remixContext,
    headers,
  );
  for (const url of stylesheetsOf(remixContext)) headers.append("Link", `<${url}>; rel=preload; as=style`);
  const mayBeKept = status === 200 && isForEveryone(request, headers, remixContext);
  if (mayBeKept) headers.set("Cache-Control", forEveryone);
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  applySecurityHeaders(headers, env, {
    // A nonce is valid for one response only, so a cacheable document allows its scripts by hash.
    scripts: mayBeKept ? scriptHashes(html, nonce) : [`'nonce-${nonce}'`],
    styles: inlineStyles ? [landingStylesHash] : [],
    // A hydrated page can become the payment page without a new document, so its policy must allow payments. A plain one has its
    // form.
    pays: isHydrated || asks(remixContext, "noScripts"),
  });
  const encoding = encodingFor(request.headers.get("accept-encoding") ?? "");
  for (const [name, value] of Object.entries(headersOf(encoding))) headers.set(name, value);
  headers.set("Content-Language", language);
  if (mayBeKept) headers.append("Vary", "Cookie, Accept-Language");
  return new Response(await encode(Buffer.from(html), encoding), { headers, status });
}

/**
 * The Remix context for rendering: without the loaders' data, which only hydrated pages read, and with a manifest of only the
 * matched routes. With the whole manifest Remix searches all routes once per path segment to list neighbouring routes in the
 * document, a quarter of a step's server time. Browsers fetch other routes when they navigate.
 */
function ofItsRoutes(remixContext: EntryContext): EntryContext {
  const { manifest, routeModules, staticHandlerContext, serverHandoffString, renderMeta } = remixContext;
  const { criticalCss, future, isSpaMode, serializeError } = remixContext;
  const matched = staticHandlerContext.matches.flatMap(({ route: { id } }) => {
    const route = manifest.routes[id];
    return route === undefined ? [] : [[id, route] as const];
  });
  return {
    ...{ routeModules, staticHandlerContext, serverHandoffString, future, isSpaMode, serializeError },
    ...(renderMeta === undefined ? {} : { renderMeta }),
    ...(criticalCss === undefined ? {} : { criticalCss }),
    manifest: { ...manifest, routes: Object.fromEntries(matched) },
  };
}

/**
 * Data for the impersonation banner, which error pages have too. If reading it fails, the page has no banner, but still cannot
 * change anything.
 */
async function viewIn(request: Request, language: LanguageId): Promise<DocumentContents["view"]> {
  try {
    const view = await impersonationOf(request);
    if (view === null) return undefined;
    const { visitor, company, until } = view;
    return { email: visitor.email, company, until: formatTime(until, standardCountry, language) };
  } catch (error) {
    webContext().log.warn({ err: error }, "a view of the store could not be read");
    return undefined;
  }
}

function asks({ routeModules, staticHandlerContext }: EntryContext, what: keyof Handle): boolean {
  return staticHandlerContext.matches.some(({ route }) =>
    hasHandleFlag(routeModules[route.id]?.handle, what),
  );
}

/**
 * The stylesheets that block rendering. Their header arrives before the document does, so both load concurrently on a slow line.
 */
function stylesheetsOf(remixContext: EntryContext): string[] {
  if (asks(remixContext, "inlineStyles")) return [];
  return [
    stylesUrl,
    ...(asks(remixContext, "pageStyles") ? [pageStylesUrl] : []),
    ...(asks(remixContext, "desk") ? [deskStylesUrl] : []),
  ];
}

/** Whether the route allows shared caching, and neither the request nor the response contains anything personal. */
function isForEveryone(request: Request, headers: Headers, remixContext: EntryContext): boolean {
  const { errors, loaderData } = remixContext.staticHandlerContext;
  return (
    asks(remixContext, "publiclyCacheable") &&
    request.method === "GET" &&
    !["Cookie", "Authorization"].some((name) => request.headers.has(name)) &&
    !["Set-Cookie", "Refresh", "Retry-After"].some((name) => headers.has(name)) &&
    errors === null &&
    visitor.every((field) => loaderData.root?.[field] === null)
  );
}

/** Hashes of scripts that occur in many documents. There are few, because they contain no visitor's data. */
const knownHashes = new Map<string, string>();

/** Hashes only scripts that carry the nonce, which an injected script cannot know. Data runs nowhere and needs none. */
function scriptHashes(html: string, nonce: string): string[] {
  const [, ...scripts] = html.split("<script ");
  return scripts.flatMap((script) => {
    const end = script.indexOf(">");
    const attributes = script.slice(0, end);
    const text = script.slice(end + 1, script.indexOf("</script>"));
    return attributes.includes(`nonce="${nonce}"`) && !attributes.includes('json"') && text !== ""
      ? [knownHash(text)]
      : [];
  });
}

function knownHash(text: string): string {
  const known = knownHashes.get(text);
  if (known !== undefined) return known;
  const hash = sourceHash(text);
  if (knownHashes.size < 100) knownHashes.set(text, hash);
  return hash;
}

function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Remix drops the headers of a route without a `headers` export, except cookies. A refusal is incomplete without these. */
function passOn(names: readonly string[], { staticHandlerContext }: EntryContext, headers: Headers): void {
  const { actionHeaders, loaderHeaders } = staticHandlerContext;
  for (const from of [...Object.values(actionHeaders), ...Object.values(loaderHeaders)]) {
    for (const name of names) {
      const value = from.get(name);
      if (value !== null) headers.set(name, value);
    }
  }
}

export const handleDataRequest: HandleDataRequestFunction = (response) => {
  applySecurityHeaders(response.headers, webContext().env, null);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
};

/**
 * Errors that no route builder caught. Remix's own refusals (unknown route, wrong method) are routine. Everything else is a
 * fault.
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const { log } = webContext();
  const path = new URL(request.url).pathname;
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  const { requestId, clientAddress, userId, staffId } = requestMetadata();
  const network = shortNetwork(clientAddress);
  if (typeof status === "number" && status < 500)
    log.info({ requestId, path, status, userId, staffId, network }, "request refused");
  else log.error({ err: error, requestId }, "unhandled error");
};
