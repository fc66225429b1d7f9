/**
 * Parts of the header for each path (docs/specification.md, section 2.3), for every URL of routes.ts and for unknown ones.
 */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { describe, expect, it, test } from "vitest";
import routes from "#app/routes.ts";
import { displayName } from "#app/ui/header-user.ts";
import {
  headerLinks,
  inMarket,
  marketAt,
  navigationAt,
  type PageLink,
  pathWithQuery,
  providersAt,
  sidebarLinks,
} from "#app/ui/navigation.ts";
import { carriedOverQuery } from "#app/ui/search-form.tsx";
import { textIn } from "#server/foundation/languages/text.ts";

/** Abbreviates the visible parts: p(rovider), s(earch), b(urger sidebar), t(oggle of the page sidebar), c(ountry). */
function lettersAt(path: string): string {
  const { providerSelector, search, sidebar, pageSidebar, market } = navigationAt(path);
  return [providerSelector !== null && "p", search && "s", sidebar && "b", pageSidebar && "t", market && "c"]
    .filter(Boolean)
    .join("");
}

const wanted: Record<string, string> = {
  "/": "psbc",
  "/home": "psbc",
  "/Home": "sbc",
  "/country": "",
  "/about": "",
  "/terms": "",
  "/refunds": "",
  "/privacy": "",
  "/grievances": "",
  "/accessibility": "",
  "/payment-methods": "",
  "/compare": "c",
  "/choose": "c",
  "/search": "sbc",
  "/login": "",
  "/login/code": "",
  "/login/passkey": "",
  "/passkeys/options": "",
  "/signup": "",
  "/forgot-password": "",
  "/reset-password/:token": "",
  "/reset/password/:token": "",
  "/set-password/:token": "",
  "/continue": "",
  "/account": "b",
  "/account/password": "",
  "/account/second-factor": "",
  "/account/passkeys": "",
  "/account/sign-ins": "",
  "/account/notifications": "",
  "/unsubscribe/:token": "",
  "/account/my-data": "b",
  "/account/my-data/:exportId/zip": "",
  "/keep-account/:token": "",
  "/account/mailed-code": "",
  "/account/password-link": "",
  "/azure/ad/administrator": "",
  "/orders/:id/approval": "",
  "/approve/:token": "",
  "/azure/ad/proof": "",
  "/sign-in/:provider/proof": "",
  "/resume/:token": "",
  "/subscriptions": "pb",
  "/subscriptions/:subscriptionId/cancel": "b",
  "/subscriptions/:subscriptionId/renewal": "b",
  "/renewal/:token": "",
  "/renewals": "b",
  "/calendar/:file": "",
  "/orders/:id/invoice": "",
  "/orders/:id/invoice.pdf": "",
  "/orders/:id/references": "",
  "/orders/:id/refused-document": "",
  "/orders/:id/pay": "",
  "/orders/:id/proforma": "",
  "/orders/:id/proforma.pdf": "",
  "/orders/:id/quote": "",
  "/quotes/:id": "",
  "/quotes/:id/pdf": "",
  "/requests/:token": "",
  "/credit-notes/:id": "",
  "/credit-notes/:id/pdf": "",
  "/documents": "b",
  "/documents.csv": "",
  "/documents.zip": "",
  "/documents/statement": "b",
  "/documents/statement.csv": "b",
  "/documents/statement.pdf": "b",
  "/documents/licences": "b",
  "/documents/licences.csv": "b",
  "/myorders": "pb",
  "/Myorders": "b",
  "/cart": "pb",
  "/company": "b",
  "/company/places/:place": "b",
  "/members": "b",
  "/billing/:token": "",
  "/invite/:token": "",
  "/MSSignup": "",
  "/sync/cp": "",
  "/ui": "",
  "/order": "tc",
  "/order/:family/:item/:country": "tc",
  "/order/:id/:family/:item/:country": "tc",
  "/contract/:family/:item/:country": "t",
  "/contract/:id": "t",
  "/contract/:id/:family": "t",
  "/subscription/addon": "t",
  "/subscription/addon/:id": "t",
  "/buy/more/:subscriptionId": "t",
  "/buy/more/:subscriptionId/:id": "t",
  "/:subscriptionId/renew": "t",
  "/:subscriptionId/renew/:id": "t",
  // These have no header.
  "/sitemap.xml": "",
  "/robots.txt": "",
  "/.well-known/security.txt": "",
  "/manifest.webmanifest": "",
  "/messages/:language": "",
  "/language": "",
  "/desk": "",
  "/desk/login": "",
  "/desk/code": "",
  "/desk/set-up/:token": "",
  "/desk/logout": "",
  "/desk/queue.csv": "",
  "/desk/orders": "",
  "/desk/orders.csv": "",
  "/desk/orders/:id": "",
  "/desk/documents": "",
  "/desk/documents.csv": "",
  "/desk/documents.zip": "",
  "/desk/documents/:number": "",
  "/desk/documents/:number/pdf": "",
  "/desk/gstr1": "",
  "/desk/gstr1/:month/:gstin/:file": "",
  "/desk/money": "",
  "/desk/money/:list": "",
  "/desk/money/:list/csv": "",
  "/desk/customers": "",
  "/desk/customers.csv": "",
  "/desk/customers/:company": "",
  "/desk/tenants": "",
  "/desk/view/end": "",
  "/desk/acts/:act/:subject": "",
  "/desk/mail": "",
  "/desk/jobs": "",
  "/desk/vendors": "",
  "/desk/prices": "",
  "/desk/prices.csv": "",
  "/desk/prices/:list": "",
  "/desk/prices/items/:item": "",
  "/desk/texts": "",
  "/desk/texts/items/:item": "",
  "/desk/texts/slides/:slide": "",
  "/desk/staff": "",
  "/desk/staff.csv": "",
  "/desk/audit": "",
  "/desk/audit.csv": "",
  "/logout": "",
  "/azure/ad/authentication/": "",
  "/azure/ad/callback": "",
  "/sign-in/:provider": "",
  "/sign-in/:provider/callback": "",
  "/reset-mail": "",
  "/api/login": "",
  "/api/logout": "",
  "/api/signup": "",
  "/api/validate-token": "",
  "/csp-reports": "",
  "/payments/return": "",
  "/webhooks/razorpay": "",
  "/webhooks/payment-link": "",
  "/webhooks/bank-transfer": "",
  "/webhooks/:family": "",
  "/check/user": "",
  "/mssignup": "",
  "/google/signup": "",
  "/reseller/invitation/status": "",
  "/get/stage": "",
  "/api/get/cust": "",
  "/api/search": "",
  "/dashboard": "",
  "/api/gst": "",
  "/createacount": "",
  "/create/order": "",
  "/subscriptiondetails": "",
  "/item": "",
  "/api/domain": "",
  "/placeorder": "",
  "/closure": "",
  "/api/capturepayment": "",
  "/api/existigcustomer": "",
  "/api/existingsubscriptions": "",
  "/add/user/:subscriptionId": "",
  "/renew-subscription/:id": "",
  "/api/subscriptions": "",
  "/api/subscription/:id": "",
  "/api/get/orders": "",
  "/api/openapi.json": "",
  "/api/docs": "",
  "/api/*": "",
  "/get/*": "",
  "/check/*": "",
  "/create/*": "",
  "/google/*": "",
  "/reseller/*": "",
  "/add/*": "",
  "/health": "",
  "/livez": "",
  "/readyz": "",
  "/*": "",
};
/** Steps of a journey show the same parts as the order's own address. */
const steps = ["subscription-details", "create-account", "place-order", "sign-in", "order-processed"];

function urlsIn(entries: readonly RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap((entry) => {
    const url = [above, entry.path].filter(Boolean).join("/");
    return entry.children === undefined ? [`/${url}`] : urlsIn(entry.children, url);
  });
}
const urls = [...new Set(urlsIn(routes))];
const withoutStep = (url: string) => {
  const [step = ""] = url.split("/").slice(-1);
  return steps.includes(step) ? url.slice(0, -step.length - 1) : url;
};

test("covers every URL of routes.ts, and no other", () => {
  expect(urls.length).toBeGreaterThan(25);
  expect(urls.filter((url) => wanted[withoutStep(url)] === undefined)).toEqual([]);
  const known = urls.map(withoutStep);
  expect(Object.keys(wanted).filter((url) => !known.includes(url))).toEqual([]);
});

test.each(urls)("shows the expected parts at %s", (url) => {
  const path = url.replaceAll(/:\w+|\*/g, "x");
  expect(lettersAt(path)).toBe(wanted[withoutStep(url)]);
});

test.each([
  ["/country/", ""],
  ["/MyOrders", ""],
  ["/buy/more/3f0c", "t"],
  ["/home/", "psbc"],
  ["/HOME", ""],
  ["/Search", ""],
  ["/orders", ""],
  ["/contracts/x", ""],
  ["/buy", ""],
  ["/subscription", ""],
  ["/3f0c/renew", "t"],
])("matches %s case-sensitively", (path, letters) => {
  expect(lettersAt(path)).toBe(letters);
});

const services = [
  { id: "microsoft", label: "Microsoft", inSelector: true, isStandard: true },
  { id: "google", label: "Google", inSelector: true, isStandard: false },
  { id: "brio", label: "brio", inSelector: false, isStandard: false },
];

describe("the provider selector", () => {
  const brief = (pathname: string, search: string) =>
    providersAt({ pathname, search }, services, "All").map(
      ({ label, href, isCurrent }) => `${isCurrent ? ">" : " "}${label} ${href}`,
    );

  it("switches the catalogue, and keeps the country and the other parameters", () => {
    expect(brief("/", "")).toEqual([">Microsoft /?service=microsoft", " Google /?service=google"]);
    expect(brief("/home", "?service=google&country=US&TUP=true")).toEqual([
      " Microsoft /home?service=microsoft&country=US&TUP=true",
      ">Google /home?service=google&country=US&TUP=true",
    ]);
  });

  it("marks neither while another family is shown", () => {
    expect(brief("/", "?service=brio").filter((line) => line.startsWith(">"))).toEqual([]);
  });

  it("filters a list, which shows all by default", () => {
    expect(brief("/subscriptions", "")).toEqual([
      ">All /subscriptions",
      " Microsoft /subscriptions?service=microsoft",
      " Google /subscriptions?service=google",
      " brio /subscriptions?service=brio",
    ]);
    expect(brief("/cart", "?service=google")[2]).toBe(">Google /cart?service=google");
  });

  it("appears on no other page", () => {
    expect(brief("/search", "")).toEqual([]);
    expect(brief("/login", "?service=google")).toEqual([]);
  });
});

test("drops the parameters of a finished action and of the other list's page", () => {
  const search = "?completed=3f0c&removed=3f0c&ended=abc&search=contoso";
  expect(pathWithQuery({ pathname: "/subscriptions", search }, { page: "def" })).toBe(
    "/subscriptions?search=contoso&page=def",
  );
});

test("drops the page number of another list", () => {
  expect(pathWithQuery({ pathname: "/myorders", search: "?page=3&a=b" }, { service: "google" })).toBe(
    "/myorders?a=b&service=google",
  );
});

const markets = [
  { code: "IN", name: "India", inSentence: "India", market: "India (₹)", isStandard: true, isChosen: true },
  { code: "US", name: "USA", inSentence: "the USA", market: "USA ($)", isStandard: false, isChosen: false },
];

test.each([
  ["/", "", "India"],
  ["/", "?country=US", "USA"],
  ["/search", "?query=US", "India"],
  ["/order/microsoft/plan/US", "", "USA"],
  ["/order/microsoft/plan/IN", "", "India"],
  // The address does not contain the country, and a guess would often be wrong.
  ["/contract/3f0c/microsoft/place-order", "", undefined],
  ["/subscriptions", "?country=US", undefined],
])("finds the country at %s%s: %s", (pathname, search, name) => {
  expect(marketAt({ pathname, search }, markets)?.name).toBe(name);
});

test("falls back to the country that the visitor chose last", () => {
  const chosen = markets.map((market) => ({ ...market, isChosen: market.code === "US" }));
  const at = (pathname: string, search: string) => marketAt({ pathname, search }, chosen)?.code;
  expect([at("/", ""), at("/search", "?query=mail"), at("/", "?country=IN")]).toEqual(["US", "US", "IN"]);
  // Links to such pages contain the country, so that they can be shared.
  expect(
    carriedOverQuery({ pathname: "/", search: "" }, marketAt({ pathname: "/", search: "" }, chosen)),
  ).toEqual({
    country: "US",
  });
});

test("stays on the page if it has prices, or else leads to the catalogue", () => {
  expect(inMarket({ pathname: "/search", search: "?query=mail&page=2" }, "US")).toBe(
    "/search?query=mail&country=US",
  );
  expect(inMarket({ pathname: "/subscriptions", search: "?service=google" }, "IN")).toBe("/?country=IN");
});

test("links the header and the sidebar to pages that exist", () => {
  const said = (links: readonly PageLink[]) => links.map(({ label }) => textIn("en")(label));
  expect(said(headerLinks())).toEqual(["Plans", "Subscriptions", "Cart", "My Orders"]);
  expect(said(sidebarLinks({ isSignedIn: false }))).toEqual(["Subscriptions", "Cart", "My Orders"]);
  const all = sidebarLinks({ isSignedIn: true });
  expect(said(all)).toEqual([
    "Subscriptions",
    "Cart",
    "My Orders",
    "Renewals",
    "Invoices and statements",
    "Company",
    "Members",
    "My Account",
  ]);
  expect([...headerLinks(), ...all].filter(({ href }) => !urls.includes(href))).toEqual([]);
});

test.each([
  ["CUSTOMER", "3f0c0000-0000-4000-8000-000000000000", "Asha Rao"],
  ["CUSTOMER", "", "Asha Rao"],
  ["CUSTOMER", "0", null],
  ["ADMIN", "3f0c0000-0000-4000-8000-000000000000", null],
  ["customer", "", null],
])("shows a %s with customerId %j as %s", (role, customerId, shown) => {
  expect(displayName({ role, customerId, name: "Asha Rao" })).toBe(shown);
});

test("shows nothing without a name", () => {
  expect(displayName({ role: "CUSTOMER", customerId: "", name: "" })).toBeNull();
});
