/**
 * Every URL of the product except the JSON calls, which are in api/endpoints.ts. All are case-sensitive: /mssignup is a call,
 * /MSSignup a page. A journey step is a nested route under its order. A file under pages/ is a screen, a file under api/ an
 * endpoint, a file under desk/ a Desk page.
 */
import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";
import { endpoints, pagesWithJson } from "./api/endpoints.ts";

const page = (path: string, file: string, children?: RouteConfigEntry[]): RouteConfigEntry =>
  children === undefined
    ? route(path, file, { caseSensitive: true })
    : route(path, file, { caseSensitive: true }, children);

/** The steps of every journey, nested under the order's own address. All journeys use the same modules. */
function journey(name: string, path: string, ...own: RouteConfigEntry[]): RouteConfigEntry {
  const step = (slug: string) =>
    route(slug, `journey/${slug}/route.tsx`, { id: `${name}/${slug}`, caseSensitive: true });
  return route(path, "journey/layout.tsx", { id: name, caseSensitive: true }, [
    index("journey/index.tsx", { id: `${name}/index` }),
    step("subscription-details"),
    ...own,
    step("place-order"),
    step("sign-in"),
    step("order-processed"),
  ]);
}

/** Routes of an identity provider: start, callback, and email proof. All providers use the same modules. */
function identityProvider(start: string, rest: string): RouteConfigEntry[] {
  const at = (path: string, file: string) =>
    route(path, file, { id: `identity/${path}`, caseSensitive: true });
  return [
    at(start, "resources/identity-sign-in.ts"),
    at(`${rest}/callback`, "resources/identity-callback.ts"),
    at(`${rest}/proof`, "pages/identity-proof/route.tsx"),
  ];
}

export default [
  index("pages/home/route.tsx", { id: "pages/home/index" }),
  route("home", "pages/home/route.tsx", { id: "pages/home/home", caseSensitive: true }),
  page("Home", "pages/home/protected.tsx"),
  page("compare", "pages/compare/route.tsx"),
  page("choose", "pages/choose/route.tsx"),
  ...["about", "terms", "refunds", "privacy", "grievances", "accessibility"].map((path) =>
    page(path, `pages/legal/${path}.tsx`),
  ),
  page("payment-methods", "pages/payment-methods/route.tsx"),
  page("country", "pages/country/route.tsx"),
  page("language", "resources/language.ts"),
  page("search", "pages/search/route.tsx"),
  page("login", "pages/login/route.tsx"),
  page("login/code", "pages/login/code.tsx"),
  page("login/passkey", "pages/login/passkey.tsx"),
  page("passkeys/options", "resources/passkey-options.ts"),
  page("signup", "pages/signup/route.tsx"),
  page("forgot-password", "pages/forgot-password/route.tsx"),
  ...Object.entries(pagesWithJson).map(([path, file]) =>
    route(path, file, { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("continue", "pages/continue/route.tsx"),
  page("account", "pages/account/route.tsx"),
  page("account/password", "pages/account/password.tsx"),
  page("account/second-factor", "pages/account/second-factor.tsx"),
  page("account/passkeys", "pages/account/passkeys.tsx"),
  page("account/sign-ins", "pages/account/sign-ins.tsx"),
  page("account/notifications", "pages/account/notifications.tsx"),
  page("account/mailed-code", "resources/mailed-code.ts"),
  page("account/password-link", "resources/password-link.ts"),
  page("account/my-data", "pages/my-data/route.tsx"),
  page("account/my-data/:exportId/zip", "resources/my-data-zip.ts"),
  page("keep-account/:token", "pages/keep-account/route.tsx"),
  ...identityProvider("azure/ad/authentication/", "azure/ad"),
  ...identityProvider("sign-in/:provider", "sign-in/:provider"),
  page("azure/ad/administrator", "resources/administrator-callback.ts"),
  ...["orders/:id/approval", "approve/:token"].map((path) =>
    route(path, "pages/approval/route.tsx", { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("unsubscribe/:token", "pages/unsubscribe/route.tsx"),
  page("resume/:token", "pages/resume/route.tsx"),
  page("subscriptions", "pages/subscriptions/route.tsx"),
  page("subscriptions/:subscriptionId/cancel", "pages/cancellation/route.tsx"),
  page("renewals", "pages/renewals/route.tsx"),
  page("calendar/:file", "resources/renewal-feed.ts"),
  ...["subscriptions/:subscriptionId/renewal", "renewal/:token"].map((path) =>
    route(path, "pages/renewal-choice/route.tsx", { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("orders/:id/invoice", "pages/invoice/route.tsx"),
  page("orders/:id/invoice.pdf", "resources/invoice-pdf.ts"),
  page("orders/:id/references", "pages/references/route.tsx"),
  page("orders/:id/refused-document", "pages/refused-document/route.tsx"),
  page("orders/:id/pay", "pages/pay/route.tsx"),
  page("orders/:id/proforma", "pages/proforma/route.tsx"),
  page("orders/:id/proforma.pdf", "resources/proforma-pdf.ts"),
  page("orders/:id/quote", "resources/order-quote.ts"),
  page("quotes/:id", "pages/quote/route.tsx"),
  page("quotes/:id/pdf", "resources/quote-pdf.ts"),
  page("requests/:token", "pages/quote-request/route.tsx"),
  page("credit-notes/:id", "pages/credit-note/route.tsx"),
  page("credit-notes/:id/pdf", "resources/credit-note-pdf.ts"),
  page("documents", "pages/documents/route.tsx"),
  page("documents.csv", "resources/documents-csv.ts"),
  page("documents.zip", "resources/documents-zip.ts"),
  page("documents/statement", "pages/statement/route.tsx"),
  page("documents/statement.csv", "resources/statement-csv.ts"),
  page("documents/statement.pdf", "resources/statement-pdf.ts"),
  page("documents/licences", "pages/licences/route.tsx"),
  page("documents/licences.csv", "resources/licences-csv.ts"),
  ...["myorders", "Myorders"].map((path) =>
    route(path, "pages/my-orders/route.tsx", { id: `pages/${path}`, caseSensitive: true }),
  ),
  page("cart", "pages/cart/route.tsx"),
  page("company", "pages/company/route.tsx"),
  page("company/places/:place", "pages/company/billing-address.tsx"),
  page("billing/:token", "pages/billing-contact/route.tsx"),
  page("members", "pages/members/route.tsx"),
  page("invite/:token", "pages/invite/route.tsx"),
  page("MSSignup", "pages/microsoft-signup/route.tsx"),
  page("sync/cp", "pages/sync/route.tsx"),
  // In development only.
  page("ui", "pages/ui/route.tsx"),

  // The purchase: step 1 of a new order, then the order itself.
  page("order", "journey/subscription-details/buy-now.tsx"),
  page("order/:family/:item/:country", "journey/subscription-details/new-order.tsx"),
  journey(
    "order",
    "order/:id/:family/:item/:country",
    page("create-account", "journey/create-account/route.tsx"),
  ),
  // A further subscription of a customer, with the same steps. The cart knows the order only by its id.
  page("contract/:family/:item/:country", "journey/subscription-details/new-contract.tsx"),
  route("contract/:id", "journey/index.tsx", { id: "contract-by-id", caseSensitive: true }),
  journey("contract", "contract/:id/:family"),
  // An add-on to a customer's subscription.
  page("subscription/addon", "journey/subscription-details/new-add-on.tsx"),
  journey("addon", "subscription/addon/:id"),

  // More licences of a subscription, and its next term: step 1 under the subscription, then the order's own steps.
  page("buy/more/:subscriptionId", "journey/subscription-details/new-buy-more.tsx"),
  journey("buy-more", "buy/more/:subscriptionId/:id"),
  page(":subscriptionId/renew", "journey/subscription-details/new-renewal.tsx"),
  journey("renew", ":subscriptionId/renew/:id"),

  // For crawlers, and for phones that install the store as an app.
  page("sitemap.xml", "resources/sitemap.ts"),
  page("robots.txt", "resources/robots.ts"),
  page(".well-known/security.txt", "resources/security-txt.ts"),
  page("manifest.webmanifest", "resources/manifest.ts"),
  page("messages/:language", "resources/messages.ts"),

  // For the people who run the store.
  page("desk", "desk/work-queue/route.tsx"),
  page("desk/login", "desk/login/route.tsx"),
  page("desk/code", "desk/code/route.tsx"),
  page("desk/set-up/:token", "desk/account-setup/route.tsx"),
  page("desk/logout", "desk/logout.ts"),
  page("desk/queue.csv", "desk/work-queue-file.ts"),
  page("desk/orders", "desk/orders/route.tsx"),
  page("desk/orders.csv", "desk/orders-file.ts"),
  page("desk/orders/:id", "desk/order/route.tsx"),
  page("desk/documents", "desk/documents/route.tsx"),
  page("desk/documents.csv", "desk/documents-file.ts"),
  page("desk/documents.zip", "desk/documents-zip.ts"),
  page("desk/documents/:number", "desk/document/route.tsx"),
  page("desk/documents/:number/pdf", "desk/document-pdf.ts"),
  page("desk/gstr1", "desk/gstr1/route.tsx"),
  page("desk/gstr1/:month/:gstin/:file", "desk/gstr1-file.ts"),
  page("desk/money", "desk/money/route.tsx"),
  page("desk/money/:list", "desk/money-list/route.tsx"),
  page("desk/money/:list/csv", "desk/money-file.ts"),
  page("desk/customers", "desk/customers/route.tsx"),
  page("desk/customers.csv", "desk/customers-file.ts"),
  page("desk/customers/:company", "desk/customer/route.tsx"),
  page("desk/tenants", "desk/tenants/route.tsx"),
  page("desk/view/end", "desk/end-impersonation.ts"),
  page("desk/acts/:act/:subject", "desk/action/route.tsx"),
  page("desk/mail", "desk/mail/route.tsx"),
  page("desk/jobs", "desk/jobs/route.tsx"),
  page("desk/vendors", "desk/vendors/route.tsx"),
  page("desk/prices", "desk/prices/route.tsx"),
  page("desk/prices.csv", "desk/prices-file.ts"),
  page("desk/prices/:list", "desk/price-list/route.tsx"),
  page("desk/prices/items/:item", "desk/price-history/route.tsx"),
  page("desk/texts", "desk/texts/route.tsx"),
  page("desk/texts/items/:item", "desk/item-texts/route.tsx"),
  page("desk/texts/slides/:slide", "desk/slide/route.tsx"),
  page("desk/staff", "desk/staff/route.tsx"),
  page("desk/staff.csv", "desk/staff-file.ts"),
  page("desk/audit", "desk/audit/route.tsx"),
  page("desk/audit.csv", "desk/audit-file.ts"),

  page("logout", "resources/logout.ts"),
  page("csp-reports", "resources/csp-reports.ts"),
  page("payments/return", "pages/payment-return/route.tsx"),
  page("webhooks/razorpay", "api/razorpay-webhook.ts"),
  page("webhooks/payment-link", "api/payment-link-webhook.ts"),
  page("webhooks/bank-transfer", "api/bank-transfer-webhook.ts"),
  page("webhooks/:family", "api/vendor-webhook.ts"),

  // The calls of docs/specification.md, section 7.
  ...Object.entries(endpoints).map(([path, file]) => page(path, file)),
  page("api/docs", "pages/api-docs/route.tsx"),
  // Other addresses below the calls' paths answer 404 as JSON.
  ...["api/*", "get/*", "check/*", "create/*", "google/*", "reseller/*", "add/*"].map((path) =>
    route(path, "api/unknown-endpoint.ts", { id: `unknown/${path}`, caseSensitive: true }),
  ),
  page("*", "pages/not-found/route.tsx"),
] satisfies RouteConfig;
