/**
 * The JSON calls by address. Spelt as in docs/specification.md, section 7, "createacount" and "existigcustomer" included
 * (docs/decisions/languages.md#spelling). Both the routes and the OpenAPI document are generated from this table.
 */
export const endpoints: Readonly<Record<string, string>> = {
  "api/login": "api/login.ts",
  "api/signup": "api/signup.ts",
  "reset-mail": "api/reset-mail.ts",
  "api/validate-token": "api/validate-token.ts",
  "api/get/cust": "api/customer.ts",
  "api/search": "api/search.ts",
  dashboard: "api/dashboard.ts",
  "get/stage": "api/get-stage.ts",
  "api/gst": "api/gst.ts",
  createacount: "api/create-account.ts",
  "check/user": "api/check-user.ts",
  "create/order": "api/create-order.ts",
  subscriptiondetails: "api/subscription-details.ts",
  item: "api/item.ts",
  "google/signup": "api/google-signup.ts",
  "api/domain": "api/domain.ts",
  mssignup: "api/mssignup.ts",
  "reseller/invitation/status": "api/invitation-status.ts",
  placeorder: "api/place-order.ts",
  closure: "api/closure.ts",
  "api/capturepayment": "api/capture-payment.ts",
  "api/existigcustomer": "api/existing-customer.ts",
  "api/existingsubscriptions": "api/existing-subscriptions.ts",
  "add/user/:subscriptionId": "api/buy-more.ts",
  "renew-subscription/:id": "api/renew-subscription.ts",
  "api/subscriptions": "api/subscriptions.ts",
  "api/subscription/:id": "api/subscription.ts",
  "api/get/orders": "api/orders.ts",
  // Our own calls, not in the specification.
  "api/logout": "api/end-session.ts",
  "api/openapi.json": "api/openapi.ts",
  health: "api/health.ts",
  livez: "api/livez.ts",
  readyz: "api/readyz.ts",
};

/** Pages that answer as calls when the client asks for JSON (docs/decisions/pages.md#pages-that-are-also-calls). */
export const pagesWithJson: Readonly<Record<string, string>> = {
  "reset-password/:token": "pages/reset-password/route.tsx",
  "reset/password/:token": "pages/reset-password/route.tsx",
  "set-password/:token": "pages/reset-password/route.tsx",
};
