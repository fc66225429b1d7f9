/** Documents that the sandbox's invoice registration portal accepts, and its reasons for refusals. */
import { z } from "zod";
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import { noPincode, pincodeForm, pincodeProblem } from "#server/foundation/countries/indian-pincodes.ts";
import { stateOfGstCode } from "#server/foundation/countries/indian-states.ts";
import type { Sandbox } from "./sandbox.ts";

const amount = z.number().min(0);
/** Text without double quotes and backslashes. */
const text = (least: number, most: number) =>
  z
    .string()
    .min(least, "Too small")
    .max(most, "Too long")
    .regex(/^[^"\\]*$/);
const party = {
  Gstin: z.string(),
  LglNm: text(3, 100),
  TrdNm: text(3, 100).optional(),
  Addr1: text(1, 100),
  Loc: text(3, 50),
  Pin: z.int().min(100_000).max(999_999),
  Stcd: z.string().regex(/^\d{2}$/),
};
export const documentBody = z.object({
  Version: z.literal("1.1"),
  TranDtls: z.object({
    TaxSch: z.literal("GST"),
    SupTyp: z.enum(["B2B", "SEZWP", "SEZWOP", "EXPWP", "EXPWOP", "DEXP"]),
    RegRev: z.enum(["Y", "N"]),
  }),
  DocDtls: z.object({
    Typ: z.enum(["INV", "CRN", "DBN"]),
    No: z.string().regex(/^[A-Z1-9][A-Z0-9/-]{0,15}$/),
    Dt: z.string().regex(/^\d\d\/\d\d\/\d{4}$/),
  }),
  SellerDtls: z.object(party),
  BuyerDtls: z.object({ ...party, Pos: z.string().regex(/^\d{2}$/) }),
  ItemList: z
    .array(
      z.object({
        SlNo: z.string(),
        PrdDesc: text(3, 300),
        IsServc: z.enum(["Y", "N"]),
        HsnCd: z.string().regex(/^(\d{6}|\d{8})$/),
        Qty: amount,
        Unit: z.string(),
        UnitPrice: amount,
        TotAmt: amount,
        Discount: amount,
        AssAmt: amount,
        GstRt: z.number(),
        IgstAmt: amount,
        CgstAmt: amount,
        SgstAmt: amount,
        TotItemVal: amount,
      }),
    )
    .min(1)
    .max(1_000),
  ValDtls: z.object({
    AssVal: amount,
    CgstVal: amount,
    SgstVal: amount,
    IgstVal: amount,
    RndOffAmt: z.number(),
    TotInvVal: amount,
    TotInvValFc: amount.optional(),
  }),
  RefDtls: z
    .object({
      PrecDocDtls: z
        .array(z.object({ InvNo: z.string(), InvDt: z.string() }))
        .min(1)
        .optional(),
      ContrDtls: z
        .array(z.object({ PORefr: z.string().regex(/^[A-Za-z0-9/-]{1,16}$/) }))
        .min(1)
        .optional(),
    })
    .optional(),
  ExpDtls: z.object({ CntCode: z.string().length(2), ForCur: z.string().length(3) }).optional(),
});
export type Body = z.infer<typeof documentBody>;

/** A code of the portal and its message. */
type Problem = [code: string, words: string];

export const dayMs = 86_400_000;
const tolerance = 1;

const sum = (values: readonly number[]) => values.reduce((so, value) => so + value, 0);
const near = (one: number, other: number) => Math.abs(one - other) <= tolerance;

/** Outside of India's states the only pincode is 999999. */
function isPincodeOf(pin: number, code: string): boolean {
  const state = stateOfGstCode(code);
  if (state === null) return String(pin) === noPincode;
  return pincodeForm.test(String(pin)) && pincodeProblem(String(pin), state) === null;
}

/**
 * Why the portal refuses a document; null when it accepts it.
 * @param gstin that of the login
 */
export function problemWith(sandbox: Sandbox, given: Body, gstin: string): Problem | null {
  const { SellerDtls: seller, DocDtls, RefDtls } = given;
  const [day = 0, month = 0, year = 0] = DocDtls.Dt.split("/").map(Number);
  const dated = Date.UTC(year, month - 1, day);
  if (seller.Gstin !== gstin) return ["2265", "The seller's GSTIN is not that of the login"];
  if (dated > sandbox.now() + dayMs) return ["2176", "Invoice date cannot be later than today"];
  if (sandbox.now() - dated > 31 * dayMs)
    return ["5007", "The document date is older than 30 days, so it cannot be reported"];
  const problem =
    partyProblem(sandbox, given) ?? taxProblem(given) ?? itemProblem(given) ?? totalProblem(given);
  if (problem !== null) return problem;
  if (DocDtls.Typ !== "INV" && RefDtls?.PrecDocDtls === undefined)
    return ["3046", "The preceding document is missing"];
  return null;
}

function partyProblem(sandbox: Sandbox, given: Body): Problem | null {
  const { SellerDtls: seller, BuyerDtls: buyer, TranDtls, ExpDtls } = given;
  if (seller.Gstin.slice(0, 2) !== seller.Stcd)
    return ["2258", "The seller's state is not that of its GSTIN"];
  const isExport = TranDtls.SupTyp === "EXPWP" || TranDtls.SupTyp === "EXPWOP";
  if (isExport) {
    if (buyer.Gstin !== "URP" || buyer.Stcd !== "96" || buyer.Pos !== "96" || buyer.Pin !== 999_999)
      return ["2272", "For an export the buyer is URP, with pincode 999999 and state and place of supply 96"];
    if (ExpDtls === undefined) return ["3033", "The details of the export are missing"];
  } else {
    if (parseGstin(buyer.Gstin)?.value !== buyer.Gstin) return ["3028", "The buyer's GSTIN is not valid"];
    if (sandbox.inactiveGstins.has(buyer.Gstin)) return ["3029", "The buyer's GSTIN is not active"];
    if (buyer.Gstin === seller.Gstin) return ["2211", "Supplier and recipient GSTIN should not be the same"];
    if (buyer.Gstin.slice(0, 2) !== buyer.Stcd) return ["2259", "The buyer's state is not that of its GSTIN"];
    if (buyer.Pos === "96") return ["2270", "Place of supply 96 is for exports only"];
  }
  const astray = (isExport ? [seller] : [seller, buyer]).find(({ Pin, Stcd }) => !isPincodeOf(Pin, Stcd));
  if (astray === undefined) return null;
  return ["3039", `Pincode ${astray.Pin} does not belong to the state ${astray.Stcd}`];
}

function taxProblem({ SellerDtls: seller, BuyerDtls: buyer, TranDtls, ValDtls }: Body): Problem | null {
  const { SupTyp } = TranDtls;
  const isInterState = SupTyp !== "B2B" || buyer.Pos !== seller.Stcd;
  if (isInterState && ValDtls.CgstVal + ValDtls.SgstVal > 0)
    return ["2172", "For a supply between states CGST and SGST are not applicable, only IGST"];
  if (!isInterState && ValDtls.IgstVal > 0)
    return ["2173", "For a supply within a state IGST is not applicable, only CGST and SGST"];
  if (ValDtls.CgstVal !== ValDtls.SgstVal) return ["2235", "CGST and SGST have to be equal"];
  if (SupTyp.endsWith("WOP") && ValDtls.IgstVal > 0)
    return ["2189", "Without payment of tax no tax may be stated"];
  return null;
}

function itemProblem({ TranDtls, ItemList }: Body): Problem | null {
  for (const item of ItemList) {
    const tax = item.IgstAmt + item.CgstAmt + item.SgstAmt;
    if (!near(item.TotAmt - item.Discount, item.AssAmt))
      return ["2193", "Invalid assessable value of an item"];
    if (!TranDtls.SupTyp.endsWith("WOP") && !near((item.AssAmt * item.GstRt) / 100, tax))
      return ["2227", "The tax of an item is not its value times its rate"];
    if (!near(item.AssAmt + tax, item.TotItemVal)) return ["2240", "Invalid total of an item"];
  }
  return null;
}

function totalProblem({ ItemList, ValDtls }: Body): Problem | null {
  const { AssVal, IgstVal, CgstVal, SgstVal, RndOffAmt, TotInvVal } = ValDtls;
  if (!near(AssVal, sum(ItemList.map((item) => item.AssAmt))))
    return ["2182", "The taxable value is not the sum of the items"];
  if (!near(AssVal + IgstVal + CgstVal + SgstVal + RndOffAmt, TotInvVal))
    return ["2189", "Invalid total invoice value"];
  return null;
}
