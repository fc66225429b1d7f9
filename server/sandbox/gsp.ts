/**
 * The GST Suvidha Provider under `/gsp`, and the invoice registration portal behind it, which signs with a key of its own. It refuses
 * what the portal refuses, by the portal's codes as far as they are known; words and the other codes are ours.
 */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "./sandbox.ts";
import { at, readJson } from "./wire.ts";

const registeredInvoice = z.object({
  irn: z.string(),
  ackNo: z.string(),
  /** Unix milliseconds. */
  ackAt: z.number(),
  signedQr: z.string(),
  signedInvoice: z.string(),
  status: z.enum(["ACT", "CNL"]),
  document: z.unknown(),
});
type RegisteredInvoice = z.infer<typeof registeredInvoice>;
/** By the IRN. */
export const gspState = z.record(z.string(), registeredInvoice);

const amount = z.number().min(0);
const party = {
  Gstin: z.string(),
  LglNm: z.string().min(3).max(100),
  Addr1: z.string().min(1).max(100),
  Loc: z.string().min(3).max(50),
  Pin: z.int().min(100_000).max(999_999),
  Stcd: z.string().regex(/^\d{2}$/),
};
const body = z.object({
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
        PrdDesc: z.string().min(3).max(300),
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
type Body = z.infer<typeof body>;

const dayMs = 86_400_000;
const tolerance = 1;
const inIndia = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Kolkata",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Made on first use: it takes a moment. */
let signing: KeyObject | undefined;
function signingKey(): KeyObject {
  signing ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  return signing;
}

function sign(content: object): Promise<string> {
  return new SignJWT({ data: JSON.stringify(content), iss: "NIC" })
    .setProtectedHeader({ alg: "RS256", kid: "sandbox", typ: "JWT" })
    .sign(signingKey());
}

/** The financial year of a date as DD/MM/YYYY: "2026-27". */
function yearOf(date: string): string {
  const [, month = 0, year = 0] = date.split("/").map(Number);
  const first = month >= 4 ? year : year - 1;
  return `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
}

function irnOf({ SellerDtls, DocDtls }: Body): string {
  const text = `${SellerDtls.Gstin}${yearOf(DocDtls.Dt)}${DocDtls.Typ}${DocDtls.No}`;
  return createHash("sha256").update(text).digest("hex");
}

const sum = (values: readonly number[]) => values.reduce((so, value) => so + value, 0);
const near = (one: number, other: number) => Math.abs(one - other) <= tolerance;

/** Why the portal takes a document for wrong: its code and words; null when it takes it. */
function problemWith(sandbox: Sandbox, given: Body, gstin: string): [string, string] | null {
  const {
    SellerDtls: seller,
    BuyerDtls: buyer,
    TranDtls,
    DocDtls,
    ItemList,
    ValDtls,
    RefDtls,
    ExpDtls,
  } = given;
  const { SupTyp } = TranDtls;
  const isExport = SupTyp === "EXPWP" || SupTyp === "EXPWOP";
  const [day = 0, month = 0, year = 0] = DocDtls.Dt.split("/").map(Number);
  const dated = Date.UTC(year, month - 1, day);
  if (seller.Gstin !== gstin) return ["2265", "The seller's GSTIN is not that of the login"];
  if (dated > sandbox.now() + dayMs) return ["2176", "Invoice date cannot be later than today"];
  if (sandbox.now() - dated > 31 * dayMs)
    return ["5007", "The document date is older than 30 days, so it cannot be reported"];
  if (seller.Gstin.slice(0, 2) !== seller.Stcd)
    return ["2258", "The seller's state is not that of its GSTIN"];
  if (isExport) {
    if (buyer.Gstin !== "URP" || buyer.Stcd !== "96" || buyer.Pos !== "96" || buyer.Pin !== 999_999)
      return ["2272", "For an export the buyer is URP, with pincode 999999 and state and place of supply 96"];
    if (ExpDtls === undefined) return ["3033", "The details of the export are missing"];
  } else {
    if (!/^\d{2}[A-Z0-9]{13}$/.test(buyer.Gstin)) return ["3028", "The buyer's GSTIN is not valid"];
    if (sandbox.inactiveGstins.has(buyer.Gstin)) return ["3029", "The buyer's GSTIN is not active"];
    if (buyer.Gstin === seller.Gstin) return ["2211", "Supplier and recipient GSTIN should not be the same"];
    if (buyer.Gstin.slice(0, 2) !== buyer.Stcd) return ["2259", "The buyer's state is not that of its GSTIN"];
    if (buyer.Pos === "96") return ["2270", "Place of supply 96 is for exports only"];
  }
  const isInterState = SupTyp !== "B2B" || buyer.Pos !== seller.Stcd;
  if (isInterState && ValDtls.CgstVal + ValDtls.SgstVal > 0)
    return ["2172", "For a supply between states CGST and SGST are not applicable, only IGST"];
  if (!isInterState && ValDtls.IgstVal > 0)
    return ["2173", "For a supply within a state IGST is not applicable, only CGST and SGST"];
  if (ValDtls.CgstVal !== ValDtls.SgstVal) return ["2235", "CGST and SGST have to be equal"];
  if (SupTyp.endsWith("WOP") && ValDtls.IgstVal > 0)
    return ["2189", "Without payment of tax no tax may be stated"];
  for (const item of ItemList) {
    const tax = item.IgstAmt + item.CgstAmt + item.SgstAmt;
    if (!near(item.TotAmt - item.Discount, item.AssAmt))
      return ["2193", "Invalid assessable value of an item"];
    if (!SupTyp.endsWith("WOP") && !near((item.AssAmt * item.GstRt) / 100, tax))
      return ["2227", "The tax of an item is not its value times its rate"];
    if (!near(item.AssAmt + tax, item.TotItemVal)) return ["2240", "Invalid total of an item"];
  }
  const { AssVal, IgstVal, CgstVal, SgstVal, RndOffAmt, TotInvVal } = ValDtls;
  if (!near(AssVal, sum(ItemList.map((item) => item.AssAmt))))
    return ["2182", "The taxable value is not the sum of the items"];
  if (!near(AssVal + IgstVal + CgstVal + SgstVal + RndOffAmt, TotInvVal))
    return ["2189", "Invalid total invoice value"];
  if (DocDtls.Typ !== "INV" && RefDtls?.PrecDocDtls === undefined)
    return ["3046", "The preceding document is missing"];
  return null;
}

function shown({ irn, ackNo, ackAt, signedQr, signedInvoice, status }: RegisteredInvoice): object {
  return {
    AckNo: Number(ackNo),
    AckDt: inIndia.format(new Date(ackAt)),
    Irn: irn,
    SignedInvoice: signedInvoice,
    SignedQRCode: signedQr,
    Status: status,
  };
}

const refusal = (code: string, words: string, result?: unknown) =>
  HttpResponse.json({
    success: false,
    message: `${code} : ${words}`,
    ...(result !== undefined && { result }),
  });
const success = (message: string, result: object) => HttpResponse.json({ success: true, message, result });

const credentials = ["gstin", "user_name", "password", "requestid", "x-api-key"];

/** The GSTIN of the login, or the answer to a caller without one. */
function loginOf({ headers }: Request): string | Response {
  const missing = credentials.find((name) => (headers.get(name) ?? "") === "");
  if (missing === undefined) return headers.get("gstin") ?? "";
  return HttpResponse.json({ success: false, message: `The header ${missing} is missing` }, { status: 401 });
}

async function register(sandbox: Sandbox, given: Body): Promise<Response> {
  const irn = irnOf(given);
  const known = sandbox.state.gsp[irn];
  if (known !== undefined) {
    const { ackNo, ackAt } = known;
    const Desc = { AckNo: Number(ackNo), AckDt: inIndia.format(new Date(ackAt)), Irn: irn };
    sandbox.count("einvoice.duplicate");
    return refusal("2150", "Duplicate IRN", [{ InfCd: "DUPIRN", Desc }]);
  }
  const { SellerDtls, BuyerDtls, DocDtls, ValDtls, ItemList } = given;
  const ackAt = sandbox.now();
  const ackNo = `1126${String(Object.keys(sandbox.state.gsp).length + 1).padStart(11, "0")}`;
  const signedQr = await sign({
    SellerGstin: SellerDtls.Gstin,
    BuyerGstin: BuyerDtls.Gstin,
    DocNo: DocDtls.No,
    DocTyp: DocDtls.Typ,
    DocDt: DocDtls.Dt,
    TotInvVal: ValDtls.TotInvVal,
    ItemCnt: ItemList.length,
    MainHsnCode: ItemList[0]?.HsnCd,
    Irn: irn,
    IrnDt: inIndia.format(new Date(ackAt)),
  });
  const signedInvoice = await sign({ AckNo: Number(ackNo), Irn: irn, ...given });
  // Two that came at once: only the first is registered.
  if (sandbox.state.gsp[irn] !== undefined) return register(sandbox, given);
  const made: RegisteredInvoice = {
    irn,
    ackNo,
    ackAt,
    signedQr,
    signedInvoice,
    status: "ACT",
    document: given,
  };
  sandbox.state.gsp[irn] = made;
  sandbox.count("einvoice.register");
  await sandbox.save();
  return success("IRN generated successfully", shown(made));
}

export function gspHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(at("/gsp/ei/api/invoice"), async ({ request }) => {
      const login = loginOf(request);
      if (typeof login !== "string") return login;
      const given = body.safeParse(await readJson(request).catch(() => undefined));
      if (!given.success) {
        const [issue] = given.error.issues;
        return refusal("5002", `${issue?.path.join(".")}: ${issue?.message}`);
      }
      const problem = problemWith(sandbox, given.data, login);
      return problem === null ? register(sandbox, given.data) : refusal(...problem);
    }),
    http.get(at("/gsp/ei/api/invoice/irn"), ({ request }) => {
      const login = loginOf(request);
      if (typeof login !== "string") return login;
      const known = sandbox.state.gsp[new URL(request.url).searchParams.get("irn") ?? ""];
      if (known === undefined) return refusal("2154", "IRN details are not found");
      if (sandbox.now() - known.ackAt > 2 * dayMs)
        return refusal("2283", "IRN details cannot be provided as it is generated more than 2 days ago");
      return success("E-invoice details fetched successfully", shown(known));
    }),
    http.post(at("/gsp/ei/api/invoice/cancel"), async ({ request }) => {
      const login = loginOf(request);
      if (typeof login !== "string") return login;
      const reason = z.enum(["1", "2", "3", "4"]);
      const words = z.string().min(1).max(100);
      const given = z
        .union([
          z.object({ Irn: z.string(), CnlRsn: reason, CnlRem: words }),
          z.object({ Irn: z.string(), Cnlrsn: reason, Cnlrem: words }),
        ])
        .safeParse(await readJson(request).catch(() => undefined));
      if (!given.success) return refusal("5002", "Irn, CnlRsn or CnlRem is missing or invalid");
      const known = sandbox.state.gsp[given.data.Irn];
      if (known === undefined) return refusal("2255", "There is no such IRN");
      if (known.status === "CNL") return refusal("9999", "Invoice is already cancelled");
      if (sandbox.now() - known.ackAt > dayMs)
        return refusal("2270", "The allowed cancellation time limit is crossed, you cannot cancel the IRN");
      known.status = "CNL";
      sandbox.count("einvoice.cancel");
      await sandbox.save();
      const CancelDate = inIndia.format(new Date(sandbox.now()));
      return success("E-invoice is cancelled successfully", { Irn: known.irn, CancelDate });
    }),
  ];
}
