/** The sandbox's invoice registration portal, with the checks of the real one. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { start } from "./support.ts";

let running: RunningSandbox;
beforeAll(async () => {
  running = await start();
});
beforeEach(() => running.reset());
afterAll(() => running.stop());

const seller = "29AABCH9876K1ZR";
const buyer = "27AAPFU0939F1ZV";
const day = 86_400_000;
const dated = (at: number) => {
  const [year, month, date] = new Date(at).toISOString().slice(0, 10).split("-");
  return `${date}/${month}/${year}`;
};
const party = { LglNm: "Acme Tools", Addr1: "1 High Street", Loc: "Mumbai", Pin: 400_018 };

function bodyOf() {
  return {
    Version: "1.1",
    TranDtls: { TaxSch: "GST", SupTyp: "B2B", RegRev: "N" },
    DocDtls: { Typ: "INV", No: "IN/26-27/000001", Dt: dated(Date.now()) },
    SellerDtls: { ...party, Gstin: seller, Loc: "Bengaluru", Pin: 560_025, Stcd: "29" },
    BuyerDtls: { ...party, Gstin: buyer, Stcd: "27", Pos: "27" },
    ItemList: [
      {
        SlNo: "1",
        PrdDesc: "Business Standard",
        IsServc: "Y",
        HsnCd: "997331",
        Qty: 10,
        Unit: "OTH",
        UnitPrice: 100,
        TotAmt: 1_000,
        Discount: 0,
        AssAmt: 1_000,
        GstRt: 18,
        IgstAmt: 180,
        CgstAmt: 0,
        SgstAmt: 0,
        TotItemVal: 1_180,
      },
    ],
    ValDtls: { AssVal: 1_000, CgstVal: 0, SgstVal: 0, IgstVal: 180, RndOffAmt: 0, TotInvVal: 1_180 },
  };
}
type Body = ReturnType<typeof bodyOf>;

const answer = z.object({
  success: z.boolean(),
  message: z.string(),
  result: z.unknown().optional(),
});
const login = { gstin: seller, user_name: "u", password: "p", requestid: "r", "x-api-key": "k" };
async function call(path: string, body?: unknown, headers: Record<string, string> = login) {
  const response = await fetch(`${running.url}/gsp/ei/api/invoice${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.parse(await response.json());
}
const signed = z.object({ Irn: z.string(), AckNo: z.number(), SignedQRCode: z.string() });

test("hashes the IRN itself, signs it, and answers a repeat with 2150 and the number", async () => {
  const body = bodyOf();
  const made = signed.parse((await call("", body)).result);
  const [, month = 0, year = 0] = body.DocDtls.Dt.split("/").map(Number);
  const first = month >= 4 ? year : year - 1;
  const text = `${seller}${first}-${String((first + 1) % 100).padStart(2, "0")}INVIN/26-27/000001`;
  expect(made.Irn).toBe(createHash("sha256").update(text).digest("hex"));
  const [head = "", payload = ""] = made.SignedQRCode.split(".");
  expect(JSON.parse(Buffer.from(head, "base64url").toString())).toMatchObject({ alg: "RS256" });
  expect(Buffer.from(payload, "base64url").toString()).toContain(made.Irn);

  const again = await call("", body);
  expect(again).toMatchObject({ success: false, message: "2150 : Duplicate IRN" });
  expect(again.result).toMatchObject([{ InfCd: "DUPIRN", Desc: { Irn: made.Irn, AckNo: made.AckNo } }]);
  expect(signed.parse((await call(`/irn?irn=${made.Irn}`)).result)).toEqual(made);
});

const changed = (change: (body: Body) => void): Body => {
  const body = bodyOf();
  change(body);
  return body;
};
const set = (into: object, values: object) => void Object.assign(into, values);

test.each([
  ["27MUMT00777A1DX", "27", 400_018],
  ["2718GBR00044UNT", "27", 400_018],
  ["07DELP12321F3Z8", "07", 110_001],
  ["07AAGFA1111H1CF", "07", 110_001],
  ["97AABCB1234C1Z7", "97", 999_999],
  ["34AABCB1234C1ZJ", "34", 673_310],
  ["26AABCB1234C1ZG", "26", 362_520],
])("accepts a buyer of any kind and territory: %s", async (Gstin, Stcd, Pin) => {
  const body = changed(({ BuyerDtls }) => set(BuyerDtls, { Gstin, Stcd, Pin, Pos: Stcd }));
  expect(await call("", body)).toMatchObject({ success: true });
});

describe("the portal", () => {
  test.each<[string, string, (body: Body) => void]>([
    ["another seller than that of the login", "2265", ({ SellerDtls }) => set(SellerDtls, { Gstin: buyer })],
    [
      "a document of more than 30 days",
      "5007",
      ({ DocDtls }) => set(DocDtls, { Dt: dated(Date.now() - 33 * day) }),
    ],
    ["a date to come", "2176", ({ DocDtls }) => set(DocDtls, { Dt: dated(Date.now() + 3 * day) })],
    [
      "a total that is wrong by more than a rupee",
      "2189",
      ({ ValDtls }) => set(ValDtls, { TotInvVal: 1_182 }),
    ],
    ["a sum that is wrong", "2182", ({ ValDtls }) => set(ValDtls, { AssVal: 1_010, TotInvVal: 1_190 })],
    [
      "a tax that is not the rate's",
      "2227",
      ({ ItemList }) => set(ItemList[0] ?? {}, { IgstAmt: 90, TotItemVal: 1_090 }),
    ],
    ["a seller's state that is not its GSTIN's", "2258", ({ SellerDtls }) => set(SellerDtls, { Stcd: "27" })],
    ["a buyer's state that is not its GSTIN's", "2259", ({ BuyerDtls }) => set(BuyerDtls, { Stcd: "29" })],
    ["a buyer without a GSTIN", "3028", ({ BuyerDtls }) => set(BuyerDtls, { Gstin: "URP" })],
    ["a sale to oneself", "2211", ({ BuyerDtls }) => set(BuyerDtls, { Gstin: seller, Stcd: "29" })],
    ["an export that goes nowhere", "2272", ({ TranDtls }) => set(TranDtls, { SupTyp: "EXPWP" })],
    ["tax without payment of tax", "2189", ({ TranDtls }) => set(TranDtls, { SupTyp: "SEZWOP" })],
    ["IGST within a state", "2173", ({ BuyerDtls }) => set(BuyerDtls, { Pos: "29" })],
    ["a pincode of another state", "3039", ({ BuyerDtls }) => set(BuyerDtls, { Pin: 560_038 })],
    ["a pincode that does not exist", "3039", ({ BuyerDtls }) => set(BuyerDtls, { Pin: 100_001 })],
    ["no pincode in a state", "3039", ({ BuyerDtls }) => set(BuyerDtls, { Pin: 999_999 })],
    ["a seller's pincode of another state", "3039", ({ SellerDtls }) => set(SellerDtls, { Pin: 400_018 })],
    [
      "a pincode of a state in the other territory",
      "3039",
      ({ BuyerDtls }) => set(BuyerDtls, { Gstin: "97AABCB1234C1Z7", Stcd: "97", Pos: "97" }),
    ],
    ["a mistyped number", "3028", ({ BuyerDtls }) => set(BuyerDtls, { Gstin: "27AAPFU0939F1ZW" })],
    ["a number in small letters", "3028", ({ BuyerDtls }) => set(BuyerDtls, { Gstin: "27aapfu0939f1zv" })],
    [
      "a number of a business abroad",
      "3028",
      ({ BuyerDtls }) => set(BuyerDtls, { Gstin: "2717AUS00012NR3" }),
    ],
    ["a name of two letters", "5002", ({ BuyerDtls }) => set(BuyerDtls, { LglNm: "EY" })],
    ["a city of two letters", "5002", ({ BuyerDtls }) => set(BuyerDtls, { Loc: "Bo" })],
    ["no street", "5002", ({ BuyerDtls }) => set(BuyerDtls, { Addr1: "" })],
    ["a name in double quotes", "5002", ({ BuyerDtls }) => set(BuyerDtls, { LglNm: '"Acme" Tools' })],
    ["a code of 4 digits", "5002", ({ ItemList }) => set(ItemList[0] ?? {}, { HsnCd: "9973" })],
    ["a credit note of nothing", "3046", ({ DocDtls }) => set(DocDtls, { Typ: "CRN" })],
  ])("refuses %s with %s", async (_what, code, change) => {
    const said = await call("", changed(change));
    expect(said.success).toBe(false);
    expect(said.message).toMatch(new RegExp(`^${code} : `));
  });

  test("responds with 3029 to a buyer with an inactive GSTIN", async () => {
    running.sandbox.inactiveGstins = new Set([buyer]);
    expect((await call("", bodyOf())).message).toMatch(/^3029 : /);
  });

  test("rejects a caller without a key", async () => {
    expect(await call("", bodyOf(), { ...login, "x-api-key": "" })).toMatchObject({ success: false });
  });

  test("responds with 2283 to a document older than 2 days, and 2154 to an unknown one", async () => {
    const { Irn } = signed.parse((await call("", bodyOf())).result);
    running.sandbox.clockOffset = 3 * day;
    expect((await call(`/irn?irn=${Irn}`)).message).toMatch(/^2283 : /);
    expect((await call("/irn?irn=none")).message).toMatch(/^2154 : /);
  });

  test("refuses a cancellation after 24 hours, and a second one (9999)", async () => {
    const { Irn } = signed.parse((await call("", bodyOf())).result);
    const cancellation = { Irn, CnlRsn: "2", CnlRem: "Wrong" };
    expect((await call("/cancel", { Irn })).message).toMatch(/^5002 : /);
    expect(await call("/cancel", cancellation)).toMatchObject({ success: true });
    expect((await call("/cancel", cancellation)).message).toMatch(/^9999 : /);

    const other = changed(({ DocDtls }) => set(DocDtls, { No: "IN/26-27/000002" }));
    const late = signed.parse((await call("", other)).result);
    running.sandbox.clockOffset = 25 * 3_600_000;
    expect(await call("/cancel", { ...cancellation, Irn: late.Irn })).toMatchObject({ success: false });
  });
});
