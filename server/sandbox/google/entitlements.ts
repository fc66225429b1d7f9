/**
 * Entitlements: bought once a SKU, for a year, with 1 to 300 units which only ever grow. The term follows the sandbox's clock: with
 * renewal switched on the next year begins by itself, without it the entitlement is suspended at the end and may be bought anew.
 */
import { randomBytes } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { JsonObject } from "../wire.ts";
import { type Call, channel, GoogleError, pageOf, parse, read, text } from "./calls.ts";
import { customerOf } from "./customers.ts";
import { type GoogleCustomer, type GoogleEntitlement, renewalSettings } from "./entities.ts";
import { identityOf } from "./identities.ts";
import { fewestUnits, mostUnits, skuOfOffer } from "./offers.ts";
import { isDone, operate, type Prepared } from "./operations.ts";
import { accountName, entitlementName, paths } from "./paths.ts";

const parameters = z.array(
  z.object({
    name: text,
    value: z.object({ int64Value: z.union([z.string().regex(/^-?\d+$/), z.int()]).transform(Number) }),
  }),
);

export const newEntitlement = z.object({
  offer: text,
  parameters,
  // Required for a commitment, which is all that is sold here.
  commitmentSettings: z.object({ renewalSettings: renewalSettings.prefault({}) }),
  purchaseOrderId: z.string().max(80).default(""),
  associationInfo: z.object({ baseEntitlement: z.string().optional() }).optional(),
});
export type NewEntitlement = z.infer<typeof newEntitlement>;

export function googleEntitlementHandlers(sandbox: Sandbox): HttpHandler[] {
  const changing = (kind: string, type: string) => ({ kind, type, hasRequestId: true });
  return [
    http.post(
      paths.entitlements,
      operate(sandbox, changing("google.entitlement.create", "CREATE_ENTITLEMENT"), (call) =>
        create(sandbox, call),
      ),
    ),
    http.get(
      paths.entitlements,
      read(sandbox, channel, (call) => {
        const all = entitlementsOf(sandbox, customerOf(sandbox, call)).filter((each) =>
          isDone(sandbox, each.operation),
        );
        const { items, ...page } = pageOf(all, call.query, { usual: 50, most: 100 });
        return { entitlements: items.map((each) => entitlementBody(sandbox, each)), ...page };
      }),
    ),
    http.get(
      paths.entitlement,
      read(sandbox, channel, (call) => entitlementBody(sandbox, entitlementOf(sandbox, call))),
    ),
    http.post(
      paths.entitlementVerb("changeParameters"),
      operate(sandbox, changing("google.entitlement.change", "CHANGE_PARAMETERS"), (call) =>
        changeParameters(sandbox, call),
      ),
    ),
    http.post(
      paths.entitlementVerb("changeRenewalSettings"),
      operate(sandbox, changing("google.entitlement.renewal", "CHANGE_RENEWAL_SETTINGS"), (call) => {
        const given = parse(z.object({ renewalSettings }), call.body);
        return change(sandbox, entitlementOf(sandbox, call), (entitlement) => {
          entitlement.renewal = given.renewalSettings;
        });
      }),
    ),
    http.post(
      paths.entitlementVerb("startPaidService"),
      operate(sandbox, changing("google.entitlement.startPaid", "START_PAID_SERVICE"), (call) => {
        const found = entitlementOf(sandbox, call);
        if (!inTrial(sandbox, found))
          throw new GoogleError("FAILED_PRECONDITION", "The entitlement is not on a trial (NOT_IN_TRIAL).");
        return change(sandbox, found, (entitlement) => {
          entitlement.trialEndsAt = null;
          entitlement.startsAt = sandbox.now();
          entitlement.endsAt = yearAfter(sandbox.now());
        });
      }),
    ),
  ];
}

export function entitlementsOf(sandbox: Sandbox, customer: GoogleCustomer): GoogleEntitlement[] {
  return Object.values(sandbox.state.google.entitlements).filter(
    (each) => each.customerName === customer.name,
  );
}

export function isActive(sandbox: Sandbox, { endsAt, renewal }: GoogleEntitlement): boolean {
  return renewal.enableRenewal || sandbox.now() < endsAt;
}

/** What a purchase or a transfer asks for, found to be right. @throws GoogleError */
export function checked(sandbox: Sandbox, call: Call, customer: GoogleCustomer, given: NewEntitlement) {
  const sku = skuOfOffer(accountName(call), given.offer);
  const numUnits = unitsOf(given.parameters);
  const baseEntitlement = given.associationInfo?.baseEntitlement ?? null;
  if (baseEntitlement !== null) {
    const base = sandbox.state.google.entitlements[baseEntitlement];
    if (base?.customerName !== customer.name)
      throw new GoogleError("NOT_FOUND", "The base entitlement was not found.");
  }
  if (entitlementsOf(sandbox, customer).some((each) => each.sku === sku && isActive(sandbox, each)))
    throw new GoogleError("ALREADY_EXISTS", `The customer has the SKU ${sku} already.`);
  return {
    customerName: customer.name,
    offer: given.offer,
    sku,
    numUnits,
    baseEntitlement,
    purchaseOrderId: given.purchaseOrderId,
    renewal: given.commitmentSettings.renewalSettings,
  };
}

export function addEntitlement(
  sandbox: Sandbox,
  given: Pick<GoogleEntitlement, "customerName" | "offer" | "sku" | "numUnits" | "source"> &
    Partial<GoogleEntitlement>,
): GoogleEntitlement {
  const startsAt = given.startsAt ?? sandbox.now();
  const entitlement: GoogleEntitlement = {
    name: `${given.customerName}/entitlements/S${randomBytes(4).toString("hex")}`,
    purchaseOrderId: "",
    baseEntitlement: null,
    renewal: { enableRenewal: false, resizeUnitCount: false },
    trialEndsAt: null,
    createdAt: startsAt,
    updatedAt: startsAt,
    endsAt: yearAfter(startsAt),
    operation: null,
    ...given,
    startsAt,
  };
  sandbox.state.google.entitlements[entitlement.name] = entitlement;
  return entitlement;
}

function create(sandbox: Sandbox, call: Call): Prepared {
  const customer = customerOf(sandbox, call);
  const { entitlement } = parse(z.object({ entitlement: newEntitlement }), call.body);
  if (identityOf(sandbox, customer) === undefined) {
    throw new GoogleError(
      "FAILED_PRECONDITION",
      "The customer has no Cloud Identity yet: the domain required for purchasing a SKU has not been verified.",
    );
  }
  const right = checked(sandbox, call, customer, entitlement);
  return {
    apply: (operation) => typed(sandbox, addEntitlement(sandbox, { ...right, source: "created", operation })),
  };
}

function changeParameters(sandbox: Sandbox, call: Call): Prepared {
  const found = entitlementOf(sandbox, call);
  const numUnits = unitsOf(parse(z.object({ parameters }), call.body).parameters);
  if (!isActive(sandbox, found))
    throw new GoogleError("FAILED_PRECONDITION", "The entitlement is not active.");
  if (numUnits < found.numUnits)
    throw new GoogleError(
      "INVALID_ARGUMENT",
      "The number of units of a commitment plan cannot be less than the commitment.",
    );
  return change(sandbox, found, (entitlement) => {
    entitlement.numUnits = numUnits;
  });
}

/** A change is there at once; only what it makes waits for its operation. */
function change(
  sandbox: Sandbox,
  entitlement: GoogleEntitlement,
  act: (entitlement: GoogleEntitlement) => void,
): Prepared {
  return {
    apply() {
      act(entitlement);
      entitlement.updatedAt = sandbox.now();
      return typed(sandbox, entitlement);
    },
  };
}

function unitsOf(given: z.infer<typeof parameters>): number {
  const units = given.find(({ name }) => name === "num_units")?.value.int64Value;
  if (units === undefined)
    throw new GoogleError("INVALID_ARGUMENT", "The parameter num_units is required by this offer.");
  if (units < fewestUnits || units > mostUnits)
    throw new GoogleError("INVALID_ARGUMENT", `num_units must be from ${fewestUnits} to ${mostUnits}.`);
  return units;
}

/** @throws GoogleError NOT_FOUND, also for one whose operation is not done. */
function entitlementOf(sandbox: Sandbox, call: Call): GoogleEntitlement {
  customerOf(sandbox, call);
  const entitlement = sandbox.state.google.entitlements[entitlementName(call)];
  if (entitlement === undefined || !isDone(sandbox, entitlement.operation))
    throw new GoogleError("NOT_FOUND", "The entitlement was not found.");
  return entitlement;
}

function inTrial(sandbox: Sandbox, { trialEndsAt }: GoogleEntitlement): boolean {
  return trialEndsAt !== null && sandbox.now() < trialEndsAt;
}

function yearAfter(time: number): number {
  const end = new Date(time);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end.getTime();
}

/** The running year, when renewal has begun a new one since. */
function termOf(sandbox: Sandbox, { startsAt, endsAt, renewal }: GoogleEntitlement) {
  const term = { startsAt, endsAt };
  while (renewal.enableRenewal && term.endsAt <= sandbox.now()) {
    term.startsAt = term.endsAt;
    term.endsAt = yearAfter(term.startsAt);
  }
  return term;
}

function typed(sandbox: Sandbox, entitlement: GoogleEntitlement): JsonObject {
  return {
    "@type": "type.googleapis.com/google.cloud.channel.v1.Entitlement",
    ...entitlementBody(sandbox, entitlement),
  };
}

export function entitlementBody(sandbox: Sandbox, entitlement: GoogleEntitlement): JsonObject {
  const { name, offer, sku, numUnits, purchaseOrderId, baseEntitlement, renewal, trialEndsAt } = entitlement;
  const [, productId, , skuId] = sku.split("/");
  const { startsAt, endsAt } = termOf(sandbox, entitlement);
  const active = isActive(sandbox, entitlement);
  const iso = (time: number) => new Date(time).toISOString();
  return {
    name,
    createTime: iso(entitlement.createdAt),
    updateTime: iso(entitlement.updatedAt),
    offer,
    commitmentSettings: { startTime: iso(startsAt), endTime: iso(endsAt), renewalSettings: renewal },
    provisioningState: active ? "ACTIVE" : "SUSPENDED",
    suspensionReasons: active ? [] : ["RENEWAL_WITH_TYPE_CANCEL"],
    provisionedService: { provisioningId: name.split("/").at(-1), productId, skuId },
    trialSettings:
      trialEndsAt === null ? {} : { trial: inTrial(sandbox, entitlement), endTime: iso(trialEndsAt) },
    parameters: [
      { name: "num_units", value: { int64Value: String(numUnits) }, editable: active },
      { name: "assigned_units", value: { int64Value: "0" }, editable: false },
    ],
    ...(purchaseOrderId === "" ? {} : { purchaseOrderId }),
    ...(baseEntitlement === null ? {} : { associationInfo: { baseEntitlement } }),
  };
}
