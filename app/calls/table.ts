/**
 * The JSON calls: which file answers at which address. Spelt as in docs/specification.md, section 7, "createacount"
 * and "existigcustomer" included (docs/decisions/spelling.md). Routes and the OpenAPI document are both made of this table.
 */
export const calls: Readonly<Record<string, string>> = {
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
  // Ours, beside them.
  "api/logout": "api/end-session.ts",
  "api/openapi.json": "api/openapi.ts",
  health: "api/health.ts",
};

/** Pages that are calls for who asks for JSON (docs/decisions/pages-also-calls.md). */
export const pagesAlsoCalls: Readonly<Record<string, string>> = {
  "reset-password/:token": "pages/reset-password/route.tsx",
  "reset/password/:token": "pages/reset-password/route.tsx",
  "set-password/:token": "pages/reset-password/route.tsx",
};
