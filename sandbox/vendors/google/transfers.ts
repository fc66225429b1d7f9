/**
 * Transfers of a domain's SKUs from another reseller: the transferable SKUs, their offers, and the transfer itself, which moves
 * all of them or none. A customer imported with a valid token needs no further one for the lists.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import { type Call, channel, GoogleError, parse, read, text } from "./calls.ts";
import { customerOf } from "./customer-of.ts";
import type { ForeignIdentity, GoogleCustomer } from "./entities.ts";
import {
  addEntitlement,
  entitlementBody,
  entitlementsOf,
  newEntitlement,
  validateEntitlement,
} from "./entitlements.ts";
import { identityOf } from "./identities.ts";
import { type HeldElsewhere, skuName } from "./mode.ts";
import { offersOf, skuBody } from "./offers.ts";
import { operationHandler, type PreparedOperation } from "./operations.ts";
import { accountName, paths } from "./paths.ts";
import { checkTransferToken } from "./transfer-token.ts";

const whose = z.object({
  cloudIdentityId: text.optional(),
  customerName: text.optional(),
  authToken: z.string().optional(),
});

export function googleTransferHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(
      paths.account("listTransferableSkus"),
      read(sandbox, channel, (call) => {
        const given = parse(whose, call.body);
        const { foreign, customer } = holder(sandbox, given);
        if (given.authToken !== undefined || customer === undefined)
          checkTransferToken(sandbox, given.authToken ?? "");
        // Always one page: nobody holds enough for two.
        const transferableSkus = remaining(sandbox, foreign, customer).map(
          ({ sku, ineligibilityReason }) => ({
            transferEligibility:
              ineligibilityReason === null
                ? { isEligible: true }
                : { isEligible: false, ineligibilityReason, description: "The SKU can't be transferred." },
            sku: skuBody(sandbox, sku),
          }),
        );
        return { transferableSkus };
      }),
    ),
    http.post(
      paths.account("listTransferableOffers"),
      read(sandbox, channel, (call) => {
        const { sku, ...given } = parse(whose.extend({ sku: skuName }), call.body);
        const { foreign, customer } = holder(sandbox, given);
        const held = remaining(sandbox, foreign, customer).find((each) => each.sku === sku);
        const offers =
          held === undefined ? [] : offersOf(sandbox, accountName(call), sku, customer, held.units);
        return { transferableOffers: offers.map((offer) => ({ offer })) };
      }),
    ),
    http.post(
      paths.customerVerb("transferEntitlements"),
      operationHandler(
        sandbox,
        { kind: "google.transfer", type: "TRANSFER_ENTITLEMENTS", hasRequestId: true },
        (call) => transfer(sandbox, call),
      ),
    ),
  ];
}

/** The holder of transferable SKUs: an account found by its id, or by the customer it was imported as. */
function holder(
  sandbox: Sandbox,
  given: z.infer<typeof whose>,
): { foreign: ForeignIdentity | undefined; customer: GoogleCustomer | undefined } {
  const { customers, identities } = sandbox.state.google;
  const id = given.cloudIdentityId;
  const customer =
    id === undefined
      ? customers[given.customerName ?? ""]
      : Object.values(customers).find((each) => identityOf(sandbox, each) === id);
  const foreign = identities[id ?? (customer && identityOf(sandbox, customer)) ?? ""];
  if (foreign === undefined && customer === undefined)
    throw new GoogleError("PERMISSION_DENIED", "The customer doesn't belong to the reseller.");
  return { foreign, customer };
}

function remaining(
  sandbox: Sandbox,
  foreign: ForeignIdentity | undefined,
  customer: GoogleCustomer | undefined,
): HeldElsewhere[] {
  const held = customer === undefined ? [] : entitlementsOf(sandbox, customer);
  const moved = held.filter((each) => each.source === "transferred").map(({ sku }) => sku);
  return (foreign?.skus ?? []).filter(({ sku }) => !moved.includes(sku));
}

function transfer(sandbox: Sandbox, call: Call): PreparedOperation {
  const customer = customerOf(sandbox, call);
  const given = parse(
    z.object({ entitlements: z.array(newEntitlement).min(1), authToken: z.string().optional() }),
    call.body,
  );
  checkTransferToken(sandbox, given.authToken ?? "");
  const foreign = sandbox.state.google.identities[identityOf(sandbox, customer) ?? ""];
  const moving = given.entitlements.map((each) => validateEntitlement(sandbox, call, customer, each));
  const requested = moving.map(({ sku }) => sku);
  const movable = remaining(sandbox, foreign, customer);
  const known = movable.map(({ sku }) => sku);
  if (new Set(requested).size !== requested.length || requested.some((sku) => !known.includes(sku)))
    throw new GoogleError("INVALID_ARGUMENT", "Not all of these SKUs are there to be transferred.");
  if (known.some((sku) => !requested.includes(sku)))
    throw new GoogleError("FAILED_PRECONDITION", "Specify all transferring entitlements.");
  if (movable.some(({ ineligibilityReason }) => ineligibilityReason !== null))
    throw new GoogleError("FAILED_PRECONDITION", "A SKU can't be transferred.");
  for (const { sku, numUnits } of moving) {
    const units = movable.find((each) => each.sku === sku)?.units ?? 0;
    if (numUnits < units)
      throw new GoogleError("INVALID_ARGUMENT", `num_units cannot be less than ${units} in this transfer.`);
  }
  return {
    apply(operation) {
      const entitlements = moving.map((each) =>
        addEntitlement(sandbox, { ...each, source: "transferred", operation }),
      );
      return {
        "@type": "type.googleapis.com/google.cloud.channel.v1.TransferEntitlementsResponse",
        entitlements: entitlements.map((each) => entitlementBody(sandbox, each)),
      };
    },
  };
}
