/** Entitlements, Google's subscriptions: buy and read them, change their seats or their renewal. */
import { z } from "zod";
import { type Api, allPages, requireGoogleRequestId, resourcePath } from "./api.ts";
import { readReply } from "./errors.ts";
import { assignedUnitsParameter, int64, numUnitsParameter, type Period, period } from "./offers.ts";
import { operationOf } from "./operations.ts";

/** Action at the end of the commitment. */
export interface RenewalSettings {
  /** False: the plan ends at its end date. */
  enableRenewal: boolean;
  /** Whether to renew the seats then in use rather than those bought. */
  resizeUnitCount: boolean;
  paymentCycle: Period;
}

export interface NewEntitlement {
  /** `accounts/{a}/offers/{o}`, from findOffer or listTransferableOffers. */
  offer: string;
  /** Seats. */
  numUnits: number;
  /** Our order id: at most 80 characters, shown on Google's invoice and on the entitlement. */
  purchaseOrderId: string;
  /** Base entitlement of an add-on. */
  baseEntitlement?: string | undefined;
  /**
   * By default it ends after its year, because a term is paid for before it is bought. To renew, set `paymentCycle` to the
   * offer's.
   */
  renewal?: RenewalSettings | undefined;
}

export interface GoogleEntitlement {
  /** `accounts/{a}/customers/{c}/entitlements/{e}`. */
  name: string;
  offer: string | undefined;
  /** Seats of the commitment; absent for other plans. */
  numUnits: number | undefined;
  /** Seats assigned to users; absent if Google does not report them. */
  assignedUnits: number | undefined;
  /** ISO 8601 instants; absent until the commitment runs. */
  commitmentStart: string | undefined;
  commitmentEnd: string | undefined;
  /** "ACTIVE", "SUSPENDED". */
  state: string | undefined;
  /** "PENDING_TOS_ACCEPTANCE": the customer has yet to accept Google's terms in its admin console. */
  suspensionReasons: string[];
  purchaseOrderId: string | undefined;
  baseEntitlement: string | undefined;
  /** Ids, not names. */
  sku: { product: string; sku: string } | undefined;
  renewal: { enableRenewal: boolean; resizeUnitCount: boolean; paymentCycle: Period | undefined } | undefined;
}

export interface EntitlementCalls {
  createEntitlement(customer: string, entitlement: NewEntitlement, requestId: string): Promise<string>;
  getEntitlement(name: string): Promise<GoogleEntitlement>;
  listEntitlements(customer: string): Promise<GoogleEntitlement[]>;
  changeParameters(entitlement: string, numUnits: number, requestId: string): Promise<string>;
  changeRenewalSettings(entitlement: string, settings: RenewalSettings, requestId: string): Promise<string>;
}

/** An annual plan is billed to us once. */
const yearly: Period = { duration: 1, periodType: "YEAR" };

/** Ends the commitment with its paid term. */
const endsAfterItsTerm: RenewalSettings = {
  enableRenewal: false,
  resizeUnitCount: false,
  paymentCycle: yearly,
};

const optionalText = z
  .string()
  .optional()
  .transform((value) => value || undefined);

/** An entitlement in Google's format, and the response of the operations that create or change one. */
export const entitlementResult = z
  .object({
    name: z.string().regex(/^accounts\/[^/]+\/customers\/[^/]+\/entitlements\/[^/]+$/),
    offer: optionalText,
    parameters: z
      .array(
        z.object({
          name: z.string().optional(),
          value: z.object({ int64Value: int64.optional() }).optional().catch(undefined),
        }),
      )
      .default([]),
    commitmentSettings: z
      .object({
        startTime: optionalText,
        endTime: optionalText,
        renewalSettings: z
          .object({
            enableRenewal: z.boolean().default(false),
            resizeUnitCount: z.boolean().default(false),
            paymentCycle: period.optional().catch(undefined),
          })
          .optional(),
      })
      .optional(),
    provisioningState: optionalText,
    suspensionReasons: z.array(z.string()).default([]),
    purchaseOrderId: optionalText,
    associationInfo: z.object({ baseEntitlement: optionalText }).optional(),
    provisionedService: z.object({ productId: optionalText, skuId: optionalText }).optional(),
  })
  .transform((wire): GoogleEntitlement => {
    const parameter = (name: string) => wire.parameters.find((one) => one.name === name)?.value?.int64Value;
    const { productId, skuId } = wire.provisionedService ?? {};
    const renewal = wire.commitmentSettings?.renewalSettings;
    return {
      name: wire.name,
      offer: wire.offer,
      numUnits: parameter(numUnitsParameter),
      assignedUnits: parameter(assignedUnitsParameter),
      commitmentStart: wire.commitmentSettings?.startTime,
      commitmentEnd: wire.commitmentSettings?.endTime,
      state: wire.provisioningState,
      suspensionReasons: wire.suspensionReasons,
      purchaseOrderId: wire.purchaseOrderId,
      baseEntitlement: wire.associationInfo?.baseEntitlement,
      sku: productId !== undefined && skuId !== undefined ? { product: productId, sku: skuId } : undefined,
      renewal:
        renewal === undefined
          ? undefined
          : {
              enableRenewal: renewal.enableRenewal,
              resizeUnitCount: renewal.resizeUnitCount,
              paymentCycle: renewal.paymentCycle,
            },
    };
  });

const listReply = z.object({
  entitlements: z.array(entitlementResult).default([]),
  nextPageToken: z.string().optional(),
});

export function entitlementCalls(api: Api): EntitlementCalls {
  async function change(entitlement: string, verb: string, json: object, requestId: string): Promise<string> {
    const answer = await api({
      api: "channel",
      method: "POST",
      path: `${resourcePath("entitlement", entitlement)}:${verb}`,
      json: { ...json, requestId: requireGoogleRequestId(requestId) },
      requestId,
    });
    return operationOf(answer);
  }

  return {
    /**
     * `POST /v1/{customer}/entitlements`: the purchase. Returns the operation's name; its result is entitlementResult.
     * Idempotent by request id.
     * @throws ProviderError; refused with ALREADY_EXISTS when the customer has the SKU, FAILED_PRECONDITION when an add-on
     *   lacks its base, INVALID_ARGUMENT when it has another SKU of the product family.
     * @throws RangeError for an invalid seat count, name or request id.
     */
    async createEntitlement(customer, entitlement, requestId) {
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${resourcePath("customer", customer)}/entitlements`,
        json: { entitlement: wireEntitlement(entitlement), requestId: requireGoogleRequestId(requestId) },
        requestId,
      });
      return operationOf(answer);
    },

    /** `GET /v1/{entitlement}`. @throws ProviderError */
    async getEntitlement(name) {
      const path = resourcePath("entitlement", name);
      return readReply(await api({ api: "channel", method: "GET", path }), entitlementResult);
    },

    /**
     * `GET /v1/{customer}/entitlements`, at most 24 calls a minute for the whole project. Ours are identified by
     * purchaseOrderId.
     * @throws ProviderError
     */
    async listEntitlements(customer) {
      const path = `${resourcePath("customer", customer)}/entitlements`;
      return allPages(`GET ${path}`, async (page) => {
        const query = { pageSize: "100", ...page };
        const reply = readReply(await api({ api: "channel", method: "GET", path, query }), listReply);
        return { items: reply.entitlements, nextPageToken: reply.nextPageToken };
      });
    },

    /**
     * `POST /v1/{entitlement}:changeParameters`: `numUnits` is the new total of seats. Returns the operation's name.
     * @throws ProviderError; refused with INVALID_ARGUMENT for less than the commitment or more than the offer's maximum.
     */
    async changeParameters(entitlement, numUnits, requestId) {
      return change(entitlement, "changeParameters", { parameters: wireParameters(numUnits) }, requestId);
    },

    /**
     * `POST /v1/{entitlement}:changeRenewalSettings`. Returns the operation's name.
     * @throws ProviderError; refused when the plan is not a commitment.
     */
    async changeRenewalSettings(entitlement, settings, requestId) {
      const json = { renewalSettings: wireRenewal(settings) };
      return change(entitlement, "changeRenewalSettings", json, requestId);
    },
  };
}

/** Builds a new entitlement's JSON; the only function that does. */
export function wireEntitlement(entitlement: NewEntitlement) {
  return {
    offer: entitlement.offer,
    parameters: wireParameters(entitlement.numUnits),
    commitmentSettings: { renewalSettings: wireRenewal(entitlement.renewal ?? endsAfterItsTerm) },
    purchaseOrderId: entitlement.purchaseOrderId,
    ...(entitlement.baseEntitlement === undefined
      ? {}
      : { associationInfo: { baseEntitlement: entitlement.baseEntitlement } }),
  };
}

/** @throws RangeError for an invalid number of seats. */
function wireParameters(numUnits: number) {
  if (!Number.isSafeInteger(numUnits) || numUnits < 1) throw new RangeError(`Not a seat count: ${numUnits}`);
  return [{ name: numUnitsParameter, value: { int64Value: String(numUnits) } }];
}

function wireRenewal(settings: RenewalSettings) {
  return {
    enableRenewal: settings.enableRenewal,
    resizeUnitCount: settings.resizeUnitCount,
    paymentPlan: "COMMITMENT",
    paymentCycle: {
      duration: settings.paymentCycle.duration,
      periodType: settings.paymentCycle.periodType,
    },
  };
}
