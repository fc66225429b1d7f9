/** The document: head, header, notification, the route, and scripts only where a route asks to be hydrated. */
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
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
import { paths } from "./paths.ts";
import stylesUrl from "./styles/app.css?url";
import { Footer } from "./ui/footer.tsx";
import { errorPage } from "./ui/head.ts";
import { Header } from "./ui/header.tsx";
import { NonceContext } from "./ui/nonce.ts";
import { Notice } from "./ui/notice.tsx";

export const links = () => [
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: paths.manifest() },
];

/** For what is shown instead of a page; every page has its own. */
export const meta = errorPage;

export const loader = pageLoader(z.unknown(), async (page) => {
  const notification = await readFlash(page.context.env, page.request);
  if (notification !== null) {
    page.headers.append("Set-Cookie", await flashCookie(page.context.env).serialize("", { maxAge: 0 }));
  }
  const { session } = page;
  return {
    brand,
    storeUrl: page.context.env.PUBLIC_URL,
    // The id makes the next one another element: this one may be closed by then.
    notification: notification === null ? null : { id: page.requestId, ...notification },
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
        {/* The header's colour, for the browser's own bar: --surface of tokens.css. */}
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1d2429" media="(prefers-color-scheme: dark)" />
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
        <Footer />
        {hydrate && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const said = isRouteErrorResponse(error) ? refusalIn(error.data) : null;
  const title =
    status === 404
      ? "We could not find that page"
      : status >= 500
        ? "Unexpected Application Error!"
        : "We could not do that";
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      {said !== null && status < 500 && status !== 404 && <p>{said.message}</p>}
      {status === 404 && <p>The link may be old, or it may belong to another account.</p>}
      {status >= 500 && <p>Nothing you have entered is lost. Please try again in a minute.</p>}
      {said !== null && <p className="hint">Request {said.requestId}</p>}
      <p>
        <a className="button" href={paths.home()}>
          Go to the shop
        </a>
      </p>
    </section>
  );
}

/** What the route builders put into a refusal; Remix's own errors have none of it. */
function refusalIn(data: unknown): { message: string; requestId: string } | null {
  if (typeof data !== "object" || data === null || !("message" in data) || !("requestId" in data))
    return null;
  return { message: String(data.message), requestId: String(data.requestId) };
}

/** A loader whose page waits for the server answers refreshSeconds; with scripts the page asks instead of reloading. */
function refreshSecondsIn(data: unknown): number | null {
  if (typeof data !== "object" || data === null || !("refreshSeconds" in data)) return null;
  return typeof data.refreshSeconds === "number" ? data.refreshSeconds : null;
}

function wantsHydration(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "hydrate" in handle && handle.hydrate === true;
}
