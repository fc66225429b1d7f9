/**
 * Every URL of the product: the table of contents. All case-sensitive: /mssignup is a call, /MSSignup a page.
 * A wizard step is a nested route under its order; a file under pages/ is a screen, a file under api/ a call.
 */
import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";

const page = (path: string, file: string, children?: RouteConfigEntry[]): RouteConfigEntry =>
  children === undefined
    ? route(path, file, { caseSensitive: true })
    : route(path, file, { caseSensitive: true }, children);

export default [
  index("pages/home/route.tsx", { id: "pages/home/index" }),
  route("home", "pages/home/route.tsx", { id: "pages/home/home", caseSensitive: true }),
  page("search", "pages/search/route.tsx"),
  page("login", "pages/login/route.tsx"),
  page("azure/ad/authentication/", "api/outlook-sign-in.ts"),
  page("azure/ad/callback", "api/outlook-callback.ts"),
  page("azure/ad/proof", "pages/outlook-proof/route.tsx"),
  page("set-password/:token", "pages/set-password/route.tsx"),
  page("resume/:token", "pages/resume/route.tsx"),
  page("subscriptions", "pages/subscriptions/route.tsx"),

  // The purchase: step 1 of a new order, then the order itself with a nested route a step.
  page("order", "pages/order/buy-now.tsx"),
  page("order/:family/:item/:country", "pages/order/new.tsx"),
  page("order/:id/:family/:item/:country", "pages/order/layout.tsx", [
    index("pages/order/index.tsx"),
    page("subscription-details", "pages/order/subscription-details.tsx"),
    page("create-account", "pages/order/create-account.tsx"),
    page("place-order", "pages/order/place-order.tsx"),
    page("sign-in", "pages/order/sign-in.tsx"),
    page("order-processed", "pages/order/order-processed.tsx"),
  ]),

  page("logout", "api/logout.ts"),
  page("payments/return", "api/payment-return.ts"),
  page("webhooks/razorpay", "api/razorpay-webhook.ts"),
  page("check/user", "api/check-user.ts"),
  page("mssignup", "api/mssignup.ts"),
  page("google/signup", "api/google-signup.ts"),
  page("reseller/invitation/status", "api/invitation-status.ts"),
  page("get/stage", "api/get-stage.ts"),
  page("health", "api/health.ts"),
  page("*", "pages/not-found/route.tsx"),
] satisfies RouteConfig;
