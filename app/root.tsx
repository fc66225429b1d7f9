/** The document: head, header, notification, the route, and scripts only where a route asks to be hydrated. */
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { z } from "zod";
import { brand } from "#server/brand.ts";
import enhanceUrl from "./enhance/index.ts?worker&url";
import { flashCookie, readFlash } from "./http/cookies.ts";
import { pageLoader } from "./http/page.ts";
import { storedFields } from "./http/user-fields.ts";
import stylesUrl from "./styles/app.css?url";
import { ErrorPage } from "./ui/error-page.tsx";
import { Header } from "./ui/header.tsx";
import { NonceContext } from "./ui/nonce.ts";
import { Notice } from "./ui/notice.tsx";

export const links = () => [
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
];

export const meta = () => [{ title: "Hubs of Happiness: business cloud software" }];

export const loader = pageLoader(z.unknown(), async (page) => {
  const notification = await readFlash(page.context.env, page.request);
  if (notification !== null) {
    page.headers.append("Set-Cookie", await flashCookie(page.context.env).serialize("", { maxAge: 0 }));
  }
  const { session } = page;
  return {
    // The id makes the next one another element: this one may be closed by then.
    notification: notification === null ? null : { id: page.requestId, ...notification },
    supportUrl: brand.supportUrl,
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
  const nonce = useContext(NonceContext);
  const root = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  const hydrate = matches.some((match) => wantsHydration(match.handle));
  const refresh = matches.map((match) => refreshSecondsIn(match.data)).find((seconds) => seconds !== null);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
        {refresh !== undefined && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <script type="module" src={enhanceUrl} nonce={nonce} />
      </head>
      {/* For the session watch: who is signed in, null when nobody is, nothing at all when we could not tell. */}
      <body data-user={root?.stored === undefined ? undefined : JSON.stringify(root.stored)}>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Header user={root?.user ?? null} />
        {root?.notification && <Notice key={root.notification.id} {...root.notification} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {hydrate && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>("root");
  const { pathname, search } = useLocation();
  return (
    <ErrorPage error={useRouteError()} here={`${pathname}${search}`} supportUrl={root?.supportUrl ?? null} />
  );
}

/** A loader whose page waits for the server answers refreshSeconds; with scripts the page asks instead of reloading. */
function refreshSecondsIn(data: unknown): number | null {
  if (typeof data !== "object" || data === null || !("refreshSeconds" in data)) return null;
  return typeof data.refreshSeconds === "number" ? data.refreshSeconds : null;
}

function wantsHydration(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "hydrate" in handle && handle.hydrate === true;
}
