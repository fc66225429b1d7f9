/**
 * Every URL of the product: the table of contents; the JSON calls are in calls/table.ts. All case-sensitive: /mssignup is a call, /MSSignup a page.
 * A wizard step is a nested route under its order; a file under pages/ is a screen, a file under api/ a call.
 */
import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";
import { calls, pagesAlsoCalls } from "./calls/table.ts";

const page = (path: string, file: string, children?: RouteConfigEntry[]): RouteConfigEntry =>
  children === undefined
    ? route(path, file, { caseSensitive: true })
    : route(path, file, { caseSensitive: true }, children);

/** The steps that every journey has, each a nested route under the order's own address: the same modules in all of them. */
function journey(name: string, path: string, ...own: RouteConfigEntry[]): RouteConfigEntry {
  const step = (slug: string) =>
    route(slug, `pages/steps/${slug}.tsx`, { id: `${name}/${slug}`, caseSensitive: true });
  return route(path, "pages/steps/layout.tsx", { id: name, caseSensitive: true }, [
    index("pages/steps/index.tsx", { id: `${name}/index` }),
    step("subscription-details"),
    ...own,
    step("place-order"),
    step("sign-in"),
    step("order-processed"),
  ]);
}

export default [
  index("pages/home/route.tsx", { id: "pages/home/index" }),
  route("home", "pages/home/route.tsx", { id: "pages/home/home", caseSensitive: true }),
  page("Home", "pages/home/protected.tsx"),
  page("country", "pages/country/route.tsx"),
  page("search", "pages/search/route.tsx"),
  page("login", "pages/login/route.tsx"),
  page("signup", "pages/signup/route.tsx"),
  page("forgot-password", "pages/forgot-password/route.tsx"),
  ...Object.entries(pagesAlsoCalls).map(([path, file]) =>
    route(path, file, { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("continue", "pages/continue/route.tsx"),
  page("account", "pages/account/route.tsx"),
  page("account/password", "pages/account/password.tsx"),
  page("account/password-link", "api/password-link.ts"),
  page("azure/ad/authentication/", "api/outlook-sign-in.ts"),
  page("azure/ad/callback", "api/outlook-callback.ts"),
  page("azure/ad/proof", "pages/outlook-proof/route.tsx"),
  page("azure/ad/administrator", "api/administrator-callback.ts"),
  ...["orders/:id/approval", "approve/:token"].map((path) =>
    route(path, "pages/approval/route.tsx", { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("resume/:token", "pages/resume/route.tsx"),
  page("subscriptions", "pages/subscriptions/route.tsx"),
  page("orders/:id/invoice", "pages/invoice/route.tsx"),
  page("orders/:id/invoice.pdf", "api/invoice-pdf.ts"),
  ...["myorders", "Myorders"].map((path) =>
    route(path, "pages/my-orders/route.tsx", { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("cart", "pages/cart/route.tsx"),
  page("members", "pages/members/route.tsx"),
  page("invite/:token", "pages/invite/route.tsx"),
  page("MSSignup", "pages/microsoft-signup/route.tsx"),
  page("sync/cp", "pages/sync/route.tsx"),
  // While developing only.
  page("ui", "pages/ui/route.tsx"),

  // The purchase: step 1 of a new order, then the order itself.
  page("order", "pages/order/buy-now.tsx"),
  page("order/:family/:item/:country", "pages/order/new.tsx"),
  journey(
    "order",
    "order/:id/:family/:item/:country",
    page("create-account", "pages/order/create-account.tsx"),
  ),
  // A further subscription of a customer, the same way; the cart knows the order by its id alone.
  page("contract/:family/:item/:country", "pages/contract/new.tsx"),
  route("contract/:id", "pages/steps/index.tsx", { id: "contract-by-id", caseSensitive: true }),
  journey("contract", "contract/:id/:family"),
  // An add-on to a subscription of a customer.
  page("subscription/addon", "pages/addon/new.tsx"),
  journey("addon", "subscription/addon/:id"),

  // More licences of a subscription, and its next term: step 1 under the subscription, then the order's own steps.
  page("buy/more/:subscriptionId", "pages/buy-more/new.tsx"),
  journey("buy-more", "buy/more/:subscriptionId/:id"),
  page(":subscriptionId/renew", "pages/renew/new.tsx"),
  journey("renew", ":subscriptionId/renew/:id"),

  // For machines that look around: search engines, and phones that put the store on their first screen.
  page("sitemap.xml", "api/sitemap.ts"),
  page("robots.txt", "api/robots.ts"),
  page(".well-known/security.txt", "api/security-txt.ts"),
  page("manifest.webmanifest", "api/manifest.ts"),

  page("logout", "api/logout.ts"),
  page("payments/return", "api/payment-return.ts"),
  page("webhooks/razorpay", "api/razorpay-webhook.ts"),

  // The calls of docs/specification.md, section 7.
  ...Object.entries(calls).map(([path, file]) => page(path, file)),
  page("api/docs", "pages/api-docs/route.tsx"),
  // Beside them there is nothing, and that is said as JSON too.
  ...["api/*", "get/*", "check/*", "create/*", "google/*", "reseller/*", "add/*"].map((path) =>
    route(path, "api/unknown.ts", { id: `unknown/${path}`, caseSensitive: true }),
  ),
  page("*", "pages/not-found/route.tsx"),
] satisfies RouteConfig;
