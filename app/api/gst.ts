/** POST /api/gst: looks up an active registration by its GSTIN. */
import { findRegistration } from "#server/accounts/gst-lookup.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

const text = z.string();

export const action = jsonAction(
  {
    summary: "Looks a company up in the GST register.",
    tag: "Customer",
    access: publicAccess,
    limited: true,
    refuses: [502, 503],
    refusedAs: (body) => ({ body }),
    body: z.object({ gstin: z.string({ error: "Please enter a GST number" }).max(100) }),
    reply: z.object({
      cust_data: z.object({
        legalName: text,
        buildingName: text,
        floorNumber: text,
        street: text,
        buildingNumber: text,
        city: text,
        stateName: text,
        pincode: text,
        gstin: text,
      }),
    }),
  },
  async ({ context, clientAddress }, { gstin }) => {
    const {
      found: _,
      tradeName: _tradeName,
      status: _status,
      taxpayerType: _type,
      ...registered
    } = await findRegistration(context, gstin, clientAddress);
    return { cust_data: registered };
  },
);
