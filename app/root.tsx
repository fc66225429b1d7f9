/** The document: head, header, notification and the route. Scripts only where a route asks for hydration. */

import { Links, Meta, Outlet, Scripts, useMatches, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useContext, useState } from "react";
import { z } from "zod";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { allNames, families, familyIds, standardFamily } from "#server/catalogue/families/registry.ts";
import { brand } from "#server/foundation/brand.ts";
import { countries, countryCodes, standardCountry } from "#server/foundation/countries/registry.ts";
import { languageIds, languages } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { DeskHeader, headerViewIn } from "./desk/header.tsx";
import enhanceUrl from "./enhance/index.ts?worker&url";
import { screens } from "./families/registry.ts";
import { flashCookie, readFlash } from "./http/cookies.ts";
import { chosenCountry, countryOf } from "./http/country.ts";
import { adoptLegacyCookies } from "./http/legacy-cookies.ts";
import { isAfterRefusal, pageLoader } from "./http/page.ts";
import { deferredType } from "./http/scripts-after-paint.ts";
import { storedFields } from "./http/user-fields.ts";
import stylesUrl from "./styles/app.css?url";
import deskStylesUrl from "./styles/desk.css?url";
import pageStylesUrl from "./styles/pages.css?url";
import { DocumentContext } from "./ui/document-context.ts";
import { RouteErrorPage } from "./ui/error-page.tsx";
import { FocusOnNavigation } from "./ui/focus-on-navigation.tsx";
import { Footer } from "./ui/footer.tsx";
import { hasHandleFlag } from "./ui/handle.ts";
import { errorMeta } from "./ui/head.ts";
import { Header } from "./ui/header.tsx";
import { ImpersonationBanner } from "./ui/impersonation-banner.tsx";
import { marketAt } from "./ui/navigation.ts";
import { NotificationBanner } from "./ui/notification-banner.tsx";
import { scriptTexts } from "./ui/script-texts.ts";
import { speculationRules } from "./ui/speculation.ts";
import { useTranslate } from "./ui/text.tsx";

export const links = () => [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: paths.manifest() },
];

/** Head of the error document. Every page has its own meta. */
export const meta = errorMeta;

export const loader = pageLoader(z.unknown(), async (request) => {
  await adoptLegacyCookies(request);
  const notification = await readFlash(request.context.env, request.raw);
  if (notification !== null) {
    request.responseHeaders.append(
      "Set-Cookie",
      await flashCookie(request.context.env).serialize("", { maxAge: 0 }),
    );
  }
  const { session, language, url } = request;
  const chosen = await chosenCountry(request);
  const seller = supplierOf(request.context.env, await countryOf(request));
  const markets = countryCodes.map((code) => {
    const { name, inSentence, market } = countries[code].words[language];
    return {
      code,
      name,
      inSentence,
      market,
      isStandard: code === standardCountry,
      isChosen: code === chosen,
    };
  });
  return {
    brand: { name: brand.name, supportUrl: brand.supportUrl },
    markets,
    market: marketAt(url, markets)?.code ?? null,
    seller: { name: seller.name, gstin: seller.gst?.gstin ?? null, address: seller.addressLines.join(", ") },
    services: familyIds.map((id) => ({
      id,
      label: families[id].label,
      inSelector: screens[id].also === null,
      isStandard: id === standardFamily,
    })),
    languages: languageIds.map((id) => ({ id, name: languages[id].name })),
    sells: allNames[language],
    storeUrl: request.context.env.PUBLIC_URL,
    errorMark: isAfterRefusal(request) ? request.text("forms.errorTitle") : "",
    // The id gives each notification a new element, because the previous one may have been closed.
    notification: notification === null ? null : { id: request.requestId, ...notification },
    stored: session === null ? null : storedFields(session),
    user:
      session === null
        ? null
        : {
            name: fullName(session),
            email: session.email,
            role: session.role,
            customerId: session.customer?.id ?? "",
            company: session.customer?.name ?? null,
          },
  };
});

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, styles, language, messages, view } = useContext(DocumentContext);
  const text = useTranslate();
  const root = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  // React keeps running after a hydrated first page, also on pages that do not ask for it.
  // A page that can change nothing gains nothing from it.
  const [hydrate] = useState(
    view === undefined && matches.some(({ handle }) => hasHandleFlag(handle, "hydrate")),
  );
  // A notification and a banner need more styles than the inline ones.
  const inlineStyles =
    styles !== undefined &&
    view === undefined &&
    !root?.notification &&
    matches.some(({ handle }) => hasHandleFlag(handle, "inlineStyles"));
  // Desk pages are never hydrated, so no browser needs the code of their header.
  const isDesk = import.meta.env.SSR && matches.some(({ handle }) => hasHandleFlag(handle, "desk"));
  const isScriptless =
    import.meta.env.SSR && matches.some(({ handle }) => hasHandleFlag(handle, "noScripts"));
  const hasLists = import.meta.env.SSR && matches.some(({ handle }) => hasHandleFlag(handle, "pageStyles"));
  const refresh = matches.map((match) => refreshSecondsIn(match.data)).find((seconds) => seconds !== null);
  return (
    // The shared script adds a class here that React does not know about.
    <html lang={language} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* The header's colour for the browser's toolbar: --surface of tokens.css. */}
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#182126" media="(prefers-color-scheme: dark)" />
        <Meta />
        {inlineStyles ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, from the build
          <style dangerouslySetInnerHTML={{ __html: styles }} />
        ) : (
          <>
            <link rel="stylesheet" href={stylesUrl} />
            {matches.some(({ handle }) => hasHandleFlag(handle, "pageStyles")) && (
              <link rel="stylesheet" href={pageStylesUrl} />
            )}
            {isDesk && <link rel="stylesheet" href={deskStylesUrl} />}
          </>
        )}
        <Links />
        {refresh !== undefined && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        {/* Browsers hide a nonce from scripts, so hydration sees a different value. */}
        {!isScriptless && (
          <script
            type="module"
            nonce={nonce}
            suppressHydrationWarning
            // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the build
            dangerouslySetInnerHTML={{ __html: fetchAfterStyles(enhanceUrl) }}
          />
        )}
        {isDesk && (
          <script
            nonce={nonce}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own words
            dangerouslySetInnerHTML={{ __html: searchKey }}
          />
        )}
        {hasLists && (
          <script
            nonce={nonce}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own words
            dangerouslySetInnerHTML={{ __html: menuKey }}
          />
        )}
      </head>
      {/* For the session watch: the user; null when nobody is signed in; absent when unknown, in Desk (which has no
          customers), and during an impersonation. */}
      <body
        className={isDesk ? "desk-page" : undefined}
        data-user={
          isDesk || view !== undefined || root?.stored === undefined ? undefined : JSON.stringify(root.stored)
        }
        {...scriptTexts(text)}
        suppressHydrationWarning
      >
        <a className="skip" href="#main">
          {text("shell.skip")}
        </a>
        {isDesk ? (
          <DeskHeader
            desk={matches.map(({ data }) => headerViewIn(data)).find((view) => view !== null) ?? null}
          />
        ) : (
          <Header user={root?.user ?? null} />
        )}
        {import.meta.env.SSR && view !== undefined && <ImpersonationBanner {...view} />}
        {root?.notification && <NotificationBanner key={root.notification.id} {...root.notification} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {!isDesk && <Footer />}
        {import.meta.env.SSR && !hydrate && !isDesk && !isScriptless && (
          <script
            type="speculationrules"
            nonce={nonce}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own rules
            dangerouslySetInnerHTML={{ __html: speculationRules }}
          />
        )}
        {hydrate && (
          <>
            <FocusOnNavigation />
            <link
              id="messages"
              rel={deferredType}
              as="fetch"
              crossOrigin=""
              href={messages}
              suppressHydrationWarning
            />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

/**
 * Script that loads another one after the stylesheets, so that they do not share the bandwidth: a module in the document runs
 * only once the stylesheets have loaded. The element removes itself, because hydration expects the head as rendered.
 */
function fetchAfterStyles(script: string): string {
  return `let s=document.createElement("script");s.type="module";s.src=${JSON.stringify(script)};s.onload=()=>s.remove();document.head.append(s)`;
}

/** Closes the open menu of a list's row around the focus on Escape, and returns the focus to its button. */
const menuKey = `addEventListener("keydown",e=>{let m=e.key==="Escape"&&e.target.closest("details.menu[open]");if(m){m.open=false;m.firstChild.focus()}})`;

/** Focuses Desk's search on "/", except while typing in a field. */
const searchKey = `addEventListener("keydown",e=>{let q=document.getElementById("desk-search");if(e.key==="/"&&q&&!e.ctrlKey&&!e.metaKey&&!e.altKey&&!e.target.closest("input,textarea,select")){e.preventDefault();q.focus()}})`;

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <RouteErrorPage />;
}

/** The loader of a waiting page returns refreshSeconds. With scripts the page polls instead of reloading. */
function refreshSecondsIn(data: unknown): number | null {
  if (typeof data !== "object" || data === null || !("refreshSeconds" in data)) return null;
  return typeof data.refreshSeconds === "number" ? data.refreshSeconds : null;
}
