/**
 * Entitlements: one purchase per SKU, for a year, with 1 to 300 units that can only increase. The term follows the sandbox's
 * clock: with renewal switched on the next year begins automatically; without it the entitlement is suspended at the end and can
 * be bought again.
 */
import { randomBytes } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Bill } from "../charge.ts";
import type { JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Call, channel, GoogleError, pageOf, parse, read, text } from "./calls.ts";
import { customerOf } from "./customer-of.ts";
import { type GoogleCustomer, type GoogleEntitlement, renewalSettings } from "./entities.ts";
import { identityOf } from "./identities.ts";
import { regionOf, skuOfOffer } from "./offers.ts";
import { isDone, operationHandler, type PreparedOperation } from "./operations.ts";
import { accountName, entitlementName, paths } from "./paths.ts";
import { maxUnits, minUnits, soldIn } from "./products.ts";

const parameters = z.array(
  z.object({
    name: text,
    value: z.object({ int64Value: z.union([z.string().regex(/^-?\d+$/), z.int()]).transform(Number) }),
  }),
);

export const newEntitlement = z.object({
  offer: text,
  parameters,
  // Required for a commitment, the only plan that is sold here.
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
      operationHandler(sandbox, changing("google.entitlement.create", "CREATE_ENTITLEMENT"), (call) =>
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
      operationHandler(sandbox, changing("google.entitlement.change", "CHANGE_PARAMETERS"), (call) =>
        changeParameters(sandbox, call),
      ),
    ),
    http.post(
      paths.entitlementVerb("changeRenewalSettings"),
      operationHandler(sandbox, changing("google.entitlement.renewal", "CHANGE_RENEWAL_SETTINGS"), (call) => {
        const given = parse(z.object({ renewalSettings }), call.body);
        return change(sandbox, entitlementOf(sandbox, call), (entitlement) => {
          entitlement.renewal = given.renewalSettings;
        });
      }),
    ),
    http.post(
      paths.entitlementVerb("cancel"),
      operationHandler(sandbox, changing("google.entitlement.cancel", "CANCEL_ENTITLEMENT"), (call) =>
        cancel(sandbox, entitlementOf(sandbox, call)),
      ),
    ),
    http.post(
      paths.entitlementVerb("startPaidService"),
      operationHandler(sandbox, changing("google.entitlement.startPaid", "START_PAID_SERVICE"), (call) => {
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
  const all = Object.values(sandbox.state.google.entitlements).filter(
    (each) => each.customerName === customer.name,
  );
  for (const each of all) advanceEntitlement(sandbox, each);
  return all;
}

export function isActive(sandbox: Sandbox, entitlement: GoogleEntitlement): boolean {
  return entitlement.suspendedFor === null && isRunning(sandbox, entitlement);
}

function isRunning(sandbox: Sandbox, { endsAt, renewal }: GoogleEntitlement): boolean {
  return renewal.enableRenewal || sandbox.now() < endsAt;
}

/** Validates a purchase or a transfer. @throws GoogleError */
export function validateEntitlement(
  sandbox: Sandbox,
  call: Call,
  customer: GoogleCustomer,
  given: NewEntitlement,
) {
  const sku = skuOfOffer(sandbox, accountName(call), given.offer);
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

/** Whether its customer still has to accept the terms of service. */
function isTermsPending(sandbox: Sandbox, { customerName }: GoogleEntitlement): boolean {
  const { acceptsTermsAt = 0 } = sandbox.state.google.customers[customerName] ?? {};
  return acceptsTermsAt === null || sandbox.now() < acceptsTermsAt;
}

export function addEntitlement(
  sandbox: Sandbox,
  given: Pick<GoogleEntitlement, "customerName" | "offer" | "sku" | "numUnits" | "source"> &
    Partial<GoogleEntitlement>,
): GoogleEntitlement {
  const startsAt = given.startsAt ?? sandbox.now();
  const entitlement: GoogleEntitlement = {
    name: `${given.customerName}/entitlements/S${randomBytes(4).toString("hex")}`,
    assigned: 0,
    purchaseOrderId: "",
    baseEntitlement: null,
    renewal: { enableRenewal: false, resizeUnitCount: false },
    trialEndsAt: null,
    createdAt: startsAt,
    updatedAt: startsAt,
    endsAt: yearAfter(startsAt),
    operation: null,
    suspendedFor: null,
    ...given,
    startsAt,
  };
  const { endsAt, renewal } = entitlement;
  if (endsAt <= sandbox.now() && !renewal.enableRenewal) entitlement.suspendedFor = ended;
  sandbox.state.google.entitlements[entitlement.name] = entitlement;
  return entitlement;
}

function create(sandbox: Sandbox, call: Call): PreparedOperation {
  const customer = customerOf(sandbox, call);
  const { entitlement } = parse(z.object({ entitlement: newEntitlement }), call.body);
  if (identityOf(sandbox, customer) === undefined) {
    throw new GoogleError(
      "FAILED_PRECONDITION",
      "The customer has no Cloud Identity yet: the domain required for purchasing a SKU has not been verified.",
    );
  }
  const right = validateEntitlement(sandbox, call, customer, entitlement);
  return {
    apply(operation) {
      const made = addEntitlement(sandbox, { ...right, source: "created", operation });
      const { numUnits: seats, startsAt } = made;
      chargeUnits(sandbox, made, { kind: "term", seats, startsAt });
      return typed(sandbox, made);
    },
  };
}

/** Cancels an add-on. A base entitlement cannot be cancelled; it ends with its term. */
function cancel(sandbox: Sandbox, { name, baseEntitlement }: GoogleEntitlement): PreparedOperation {
  if (baseEntitlement === null)
    throw new GoogleError(
      "FAILED_PRECONDITION",
      "The entitlement cannot be deleted in this way (DELETION_TYPE_NOT_ALLOWED).",
    );
  return {
    apply() {
      delete sandbox.state.google.entitlements[name];
      return { "@type": "type.googleapis.com/google.protobuf.Empty" };
    },
  };
}

function changeParameters(sandbox: Sandbox, call: Call): PreparedOperation {
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
    const seats = numUnits - entitlement.numUnits;
    if (seats > 0) chargeUnits(sandbox, entitlement, { kind: "seats", seats, startsAt: sandbox.now() });
    entitlement.numUnits = numUnits;
  });
}

/** A change is visible at once; only a newly created entitlement waits for its operation. */
function change(
  sandbox: Sandbox,
  entitlement: GoogleEntitlement,
  act: (entitlement: GoogleEntitlement) => void,
): PreparedOperation {
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
  if (units < minUnits || units > maxUnits)
    throw new GoogleError("INVALID_ARGUMENT", `num_units must be from ${minUnits} to ${maxUnits}.`);
  return units;
}

/** @throws GoogleError NOT_FOUND, also while its operation is not done */
function entitlementOf(sandbox: Sandbox, call: Call): GoogleEntitlement {
  customerOf(sandbox, call);
  const entitlement = sandbox.state.google.entitlements[entitlementName(call)];
  if (entitlement === undefined || !isDone(sandbox, entitlement.operation))
    throw new GoogleError("NOT_FOUND", "The entitlement was not found.");
  advanceEntitlement(sandbox, entitlement);
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

/** Suspension reason of an entitlement whose last year is over. */
const ended = "RENEWAL_WITH_TYPE_CANCEL";

/**
 * Begins the next year of an entitlement whose current one is over by the sandbox's clock, or ends it.
 * @returns whether a year was over
 */
export function advanceEntitlement(sandbox: Sandbox, entitlement: GoogleEntitlement): boolean {
  const { updatedAt } = entitlement;
  while (entitlement.endsAt <= sandbox.now() && entitlement.suspendedFor !== ended) {
    const renews = entitlement.renewal.enableRenewal;
    if (renews) {
      entitlement.startsAt = entitlement.endsAt;
      entitlement.endsAt = yearAfter(entitlement.startsAt);
      const { numUnits: seats, startsAt } = entitlement;
      chargeUnits(sandbox, entitlement, { kind: "term", seats, startsAt });
    } else {
      entitlement.suspendedFor = ended;
    }
    entitlement.updatedAt = sandbox.now();
    sandbox.notices
      .google(entitlement.name, renews ? "RENEWED" : "SUSPENDED", sandbox.now())
      .catch((error: unknown) => sandbox.options.log("a notice was not sent", { error: String(error) }));
  }
  return entitlement.updatedAt !== updatedAt;
}

/** Charges a year, or units added in the rest of one. */
export function chargeUnits(
  sandbox: Sandbox,
  { name, sku, customerName, endsAt }: GoogleEntitlement,
  charged: Pick<Bill, "kind" | "seats" | "startsAt">,
): void {
  const region = regionOf(sandbox.state.google.customers[customerName]) ?? "";
  const sold = soldIn(sandbox, region).find((each) => each.name === sku);
  sandbox.state.bills.push({
    subscriptionId: name,
    ...charged,
    unitPrice: sold === undefined ? null : (sold.list * sold.costPercent) / 100,
    currency: sold?.currency ?? "",
    endsAt,
  });
}

function typed(sandbox: Sandbox, entitlement: GoogleEntitlement): JsonObject {
  return {
    "@type": "type.googleapis.com/google.cloud.channel.v1.Entitlement",
    ...entitlementBody(sandbox, entitlement),
  };
}

export function entitlementBody(sandbox: Sandbox, entitlement: GoogleEntitlement): JsonObject {
  const { name, offer, sku, numUnits, assigned, purchaseOrderId, baseEntitlement } = entitlement;
  const { renewal, trialEndsAt } = entitlement;
  const [, productId, , skuId] = sku.split("/");
  const { startsAt, endsAt } = entitlement;
  const active = isActive(sandbox, entitlement);
  const isPending = isTermsPending(sandbox, entitlement);
  const iso = (time: number) => new Date(time).toISOString();
  return {
    name,
    createTime: iso(entitlement.createdAt),
    updateTime: iso(entitlement.updatedAt),
    offer,
    commitmentSettings: { startTime: iso(startsAt), endTime: iso(endsAt), renewalSettings: renewal },
    provisioningState: active && !isPending ? "ACTIVE" : "SUSPENDED",
    suspensionReasons: [
      ...(active ? [] : [isRunning(sandbox, entitlement) ? entitlement.suspendedFor : ended]),
      ...(isPending ? ["PENDING_TOS_ACCEPTANCE"] : []),
    ],
    provisionedService: { provisioningId: name.split("/").at(-1), productId, skuId },
    trialSettings:
      trialEndsAt === null ? {} : { trial: inTrial(sandbox, entitlement), endTime: iso(trialEndsAt) },
    parameters: [
      { name: "num_units", value: { int64Value: String(numUnits) }, editable: active },
      { name: "assigned_units", value: { int64Value: String(assigned) }, editable: false },
    ],
    ...(purchaseOrderId === "" ? {} : { purchaseOrderId }),
    ...(baseEntitlement === null ? {} : { associationInfo: { baseEntitlement } }),
  };
}
