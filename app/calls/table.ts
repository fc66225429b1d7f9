/**
 * The JSON calls by address. Spelt as in docs/specification.md, section 7, "createacount" and "existigcustomer" included
 * (docs/decisions/spelling.md). Both the routes and the OpenAPI document are generated from this table.
 */
export const calls: Readonly<Record<string, string>> = {
  "api/login": "calls/login.ts",
  "api/signup": "calls/signup.ts",
  "reset-mail": "calls/reset-mail.ts",
  "api/validate-token": "calls/validate-token.ts",
  "api/get/cust": "calls/customer.ts",
  "api/search": "calls/search.ts",
  dashboard: "calls/dashboard.ts",
  "get/stage": "calls/get-stage.ts",
  "api/gst": "calls/gst.ts",
  createacount: "calls/create-account.ts",
  "check/user": "calls/check-user.ts",
  "create/order": "calls/create-order.ts",
  subscriptiondetails: "calls/subscription-details.ts",
  item: "calls/item.ts",
  "google/signup": "calls/google-signup.ts",
  "api/domain": "calls/domain.ts",
  mssignup: "calls/mssignup.ts",
  "reseller/invitation/status": "calls/invitation-status.ts",
  placeorder: "calls/place-order.ts",
  closure: "calls/closure.ts",
  "api/capturepayment": "calls/capture-payment.ts",
  "api/existigcustomer": "calls/existing-customer.ts",
  "api/existingsubscriptions": "calls/existing-subscriptions.ts",
  "add/user/:subscriptionId": "calls/buy-more.ts",
  "renew-subscription/:id": "calls/renew-subscription.ts",
  "api/subscriptions": "calls/subscriptions.ts",
  "api/subscription/:id": "calls/subscription.ts",
  "api/get/orders": "calls/orders.ts",
  // Our own calls, not in the specification.
  "api/logout": "calls/end-session.ts",
  "api/openapi.json": "calls/openapi.ts",
  health: "calls/health.ts",
  livez: "calls/livez.ts",
  readyz: "calls/readyz.ts",
};

/** Pages that answer as calls when the client asks for JSON (docs/decisions/pages-also-calls.md). */
export const pagesAlsoCalls: Readonly<Record<string, string>> = {
  "reset-password/:token": "pages/reset-password/route.tsx",
  "reset/password/:token": "pages/reset-password/route.tsx",
  "set-password/:token": "pages/reset-password/route.tsx",
};
