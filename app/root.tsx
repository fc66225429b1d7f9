/** The document: head, header, notification and the route. Scripts only where a route asks for hydration. */
import { Links, Meta, Outlet, Scripts, useMatches, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useContext, useState } from "react";
import { z } from "zod";
import { brand } from "#server/brand.ts";
import { countries, countryCodes, standardCountry } from "#server/countries/country.ts";
import { allNames, families, familyIds, standardFamily } from "#server/families/family.ts";
import * as paths from "#server/paths.ts";
import enhanceUrl from "./enhance/index.ts?worker&url";
import { screens } from "./families/family.ts";
import { flashCookie, readFlash } from "./http/cookies.ts";
import { pageLoader } from "./http/page.ts";
import { adoptPlainCookies } from "./http/plain-cookies.ts";
import { storedFields } from "./http/user-fields.ts";
import stylesUrl from "./styles/app.css?url";
import { Arrival } from "./ui/arrival.tsx";
import { DocumentContext } from "./ui/document-context.ts";
import { RouteErrorPage } from "./ui/error-page.tsx";
import { Footer } from "./ui/footer.tsx";
import { asksFor } from "./ui/handle.ts";
import { errorPage } from "./ui/head.ts";
import { Header } from "./ui/header.tsx";
import { Notice } from "./ui/notice.tsx";

export const links = () => [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: paths.manifest() },
];

/** For the error document. Every page has its own meta. */
export const meta = errorPage;

export const loader = pageLoader(z.unknown(), async (request) => {
  await adoptPlainCookies(request);
  const notification = await readFlash(request.context.env, request.raw);
  if (notification !== null) {
    request.responseHeaders.append(
      "Set-Cookie",
      await flashCookie(request.context.env).serialize("", { maxAge: 0 }),
    );
  }
  const { session } = request;
  return {
    brand,
    markets: countryCodes.map((code) => ({
      code,
      name: countries[code].name,
      nameInSentence: countries[code].nameInSentence,
      isStandard: code === standardCountry,
    })),
    services: familyIds.map((id) => ({
      id,
      label: families[id].label,
      inSelector: screens[id].also === null,
      isStandard: id === standardFamily,
    })),
    sells: allNames,
    storeUrl: request.context.env.PUBLIC_URL,
    // The id gives each notification a new element, because the previous one may have been closed.
    notification: notification === null ? null : { id: request.requestId, ...notification },
    stored: session === null ? null : storedFields(session),
    user:
      session === null
        ? null
        : {
            name: `${session.firstName} ${session.lastName}`.trim(),
            email: session.email,
            role: session.role,
            customerId: session.customer?.id ?? "",
            company: session.customer?.name ?? null,
          },
  };
});

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, styles } = useContext(DocumentContext);
  const root = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  // React keeps running after a hydrated first page, also on pages that do not ask for it.
  const [hydrate] = useState(matches.some(({ handle }) => asksFor(handle, "hydrate")));
  const inlineStyles = styles !== undefined && matches.some(({ handle }) => asksFor(handle, "inlineStyles"));
  const refresh = matches.map((match) => refreshSecondsIn(match.data)).find((seconds) => seconds !== null);
  return (
    // The shared script adds a class here that React does not know about.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* The header's colour for the browser's toolbar: --surface of tokens.css. */}
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1d2429" media="(prefers-color-scheme: dark)" />
        <Meta />
        {inlineStyles ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, from the build
          <style dangerouslySetInnerHTML={{ __html: styles }} />
        ) : (
          <link rel="stylesheet" href={stylesUrl} />
        )}
        <Links />
        {refresh !== undefined && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        {/* Browsers hide a nonce from scripts, so hydration sees a different value. */}
        <script type="module" src={enhanceUrl} nonce={nonce} suppressHydrationWarning />
      </head>
      {/* For the session watch: the user, null when nobody is signed in, absent when unknown. */}
      <body data-user={root?.stored === undefined ? undefined : JSON.stringify(root.stored)}>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Header user={root?.user ?? null} />
        {root?.notification && <Notice key={root.notification.id} {...root.notification} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Footer />
        {hydrate && (
          <>
            <Arrival />
            <Scripts nonce={nonce} />
          </>
        )}
        {/* Prefetches the next page's stylesheet once this page has loaded. */}
        {inlineStyles && <link rel="prefetch" as="style" href={stylesUrl} />}
      </body>
    </html>
  );
}

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
