/**
 * Google's part of `/control/seed`: customers, entitlements and other resellers' accounts that were not created through the API.
 */
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import { domainName } from "./calls.ts";
import { addCustomer } from "./customers.ts";
import { addEntitlement } from "./entitlements.ts";
import { addForeignIdentity, identityIdOf } from "./identities.ts";
import { heldElsewhere, skuName } from "./mode.ts";
import { commitmentOffer } from "./offers.ts";
import { maxUnits, minUnits } from "./products.ts";

const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const googleSeed = z
  .object({
    customers: z
      .array(
        z.object({
          name: z.string().regex(/^accounts\/[^/:]+\/customers\/[^/:]+$/),
          domain: domainName,
          orgDisplayName: z.string().optional(),
          regionCode: z.string().length(2).default("IN"),
        }),
      )
      .default([]),
    entitlements: z
      .array(
        z.object({
          name: z.string().regex(/^accounts\/[^/:]+\/customers\/[^/:]+\/entitlements\/[^/:]+$/),
          sku: skuName,
          numUnits: z.int().min(minUnits).max(maxUnits),
          assigned: z.int().nonnegative().default(0),
          startTime: date,
          endTime: date,
          enableRenewal: z.boolean().default(false),
          purchaseOrderId: z.string().optional(),
          /** End of a trial; left out when it is not one. */
          trialEndTime: date.optional(),
        }),
      )
      .default([]),
    /** Domains whose account is another reseller's, with what can be transferred. */
    identities: z.array(z.object({ domain: domainName, skus: z.array(heldElsewhere) })).default([]),
  })
  .prefault({});

/** Idempotent. */
export function seedGoogle(sandbox: Sandbox, given: z.infer<typeof googleSeed>): object {
  const { google } = sandbox.state;
  for (const { name, domain, orgDisplayName, regionCode } of given.customers) {
    if (google.customers[name] !== undefined) continue;
    addCustomer(sandbox, {
      name,
      domain,
      source: "seeded",
      profile: { orgDisplayName: orgDisplayName ?? domain, orgPostalAddress: { regionCode } },
      identity: { id: identityIdOf(domain), operation: null, info: { customerType: "DOMAIN" } },
    });
  }
  for (const { startTime, endTime, enableRenewal, trialEndTime, ...each } of given.entitlements) {
    if (google.entitlements[each.name] !== undefined) continue;
    const [accounts, account] = each.name.split("/");
    addEntitlement(sandbox, {
      ...each,
      customerName: each.name.split("/").slice(0, 4).join("/"),
      offer: commitmentOffer(`${accounts}/${account}`, each.sku),
      source: "seeded",
      renewal: { enableRenewal, resizeUnitCount: false },
      startsAt: startTime,
      endsAt: endTime,
      trialEndsAt: trialEndTime ?? null,
    });
  }
  for (const { domain, skus } of given.identities) {
    if (google.identities[identityIdOf(domain)] === undefined) addForeignIdentity(sandbox, domain, skus);
  }
  return {
    customers: given.customers.map(({ name }) => name),
    entitlements: given.entitlements.map(({ name }) => name),
    identities: given.identities.map(({ domain }) => identityIdOf(domain)),
  };
}
