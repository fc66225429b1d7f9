/** Licences of a customer's tenant by product: the total, and the number assigned to users. */
import { z } from "zod";
import { parseResponse, pathOf } from "../http.ts";
import type { Api } from "./api.ts";

/** Licences of one product, from all subscriptions. */
export interface LicencePool {
  /** Microsoft's name, which changes over the years: "Office 365 Business Premium". */
  name: string;
  /** Stable part number: "O365_BUSINESS_PREMIUM". Empty if Microsoft names none. */
  partNumber: string;
  /** Assignable licences. */
  active: number;
  /** Assigned licences. */
  consumed: number;
}

export interface LicenceCalls {
  listLicences(tenantId: string): Promise<LicencePool[]>;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const pools = z.object({
  items: z.array(
    z
      .object({
        activeUnits: z.number().int().nonnegative(),
        consumedUnits: z.number().int().nonnegative(),
        productSku: z.object({ name: text, skuPartNumber: text }),
      })
      .transform(({ activeUnits, consumedUnits, productSku }): LicencePool => {
        const { name, skuPartNumber } = productSku;
        return { name, partNumber: skuPartNumber, active: activeUnits, consumed: consumedUnits };
      }),
  ),
});

export function licenceCalls(api: Api): LicenceCalls {
  return {
    /**
     * `GET /v1/customers/{id}/subscribedskus`, on behalf of a user with a role in the tenant.
     * @throws ProviderError; refused with 900308 without a role that may read its directory
     */
    async listLicences(tenantId) {
      const path = pathOf`/v1/customers/${tenantId}/subscribedskus`;
      return parseResponse(await api({ method: "GET", path, forUser: true }), pools).items;
    },
  };
}
