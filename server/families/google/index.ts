/**
 * Google Workspace, bought through Cloud Channel. A commitment belongs to the buyer's own domain, which is new at Google
 * or moves to us.
 */
import type { Family } from "../family.ts";
import { requireTenant } from "../held-tenant.ts";
import { requireGoogleDomain } from "./domain.ts";
import { listEntitlements } from "./held.ts";
import { buyPlan, purchase } from "./purchase.ts";
import { renew, stopRenewal } from "./renewal.ts";
import { addSeats } from "./seats.ts";
import { signIn } from "./sign-in.ts";

export const google: Family = {
  label: "Google",
  name: "Google Workspace",
  domain: { require: requireGoogleDomain },
  tenants: {
    // A new tenant needs a password or a transfer token.
    newByName: null,
    sellsPlanOnce: true,
    administrator: null,
    keyOf: (externalId) => externalId,
    listHeld: listEntitlements,
  },
  signIn,
  renewsAllSeats: true,
  mailKind: "order-confirmation",
  movedWords: ({ signIn }) =>
    signIn?.mode === "google-transfer"
      ? "Your Google account and its plans are with us now. Sign in as you always do."
      : null,
  startUrl: () => "https://admin.google.com/",
  purchase,
  addSeats,
  renew,
  buyAgain: (context, order, held) => buyPlan(context, order, requireTenant(held).externalId),
  stopRenewal,
};
