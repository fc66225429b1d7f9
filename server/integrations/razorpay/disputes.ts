/** Razorpay's disputes: the shape that webhooks and lists share, and the list (docs/providers.md, section 3.3). */
import { z } from "zod";
import { parseResponse } from "../http.ts";
import type { RazorpaySdk } from "./sdk-adapter.ts";

/** Also the shape of `payload.dispute.entity` in a webhook. */
export const disputeWire = z.object({
  id: z.string().min(1),
  payment_id: z.string().regex(/^[A-Za-z0-9_]{1,64}$/),
  amount: z.int(),
  amount_deducted: z.int().nullish(),
  currency: z.string(),
  reason_code: z.string().nullish(),
  phase: z.string().nullish(),
  /** Unix seconds. */
  respond_by: z.number().nullish(),
});

export type RazorpayDispute = z.infer<typeof disputeWire>;

const listed = disputeWire.extend({
  status: z.enum(["open", "under_review", "won", "lost", "closed"]),
  /** Unix seconds. */
  created_at: z.int(),
});
export type ListedRazorpayDispute = z.infer<typeof listed>;
const list = z.object({ items: z.array(listed) });

export function disputes({ call }: RazorpaySdk) {
  return {
    /**
     * `GET /disputes`: disputes begun in a time range, newest first, at most 100 after the first `skip`. @throws ProviderError
     */
    async listDisputesBetween(query: URLSearchParams): Promise<ListedRazorpayDispute[]> {
      return parseResponse(await call("GET", `/disputes?${query.toString()}`), list).items;
    },
  };
}
