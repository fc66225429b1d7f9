/**
 * The GST Suvidha Provider under `/gsp`, and the invoice registration portal behind it, which signs with its own key. It refuses
 * the same documents as the portal, with the portal's codes as far as they are known; the messages and other codes are ours.
 */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { type Body, dayMs, documentBody, problemWith } from "./gsp-document.ts";
import { anyOrigin, readJson } from "./http-helpers.ts";
import type { RegisteredInvoice } from "./registered-invoice.ts";
import type { Sandbox } from "./sandbox.ts";

const inIndia = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Kolkata",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Created on first use, because it takes a moment. */
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

/** The GSTIN of the login, or the refusal for a caller without one. */
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
  // Two concurrent requests: only the first is registered.
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
    http.post(anyOrigin("/gsp/ei/api/invoice"), async ({ request }) => {
      const login = loginOf(request);
      if (typeof login !== "string") return login;
      const given = documentBody.safeParse(await readJson(request).catch(() => undefined));
      if (!given.success) {
        const [issue] = given.error.issues;
        return refusal("5002", `${issue?.path.join(".")}: ${issue?.message}`);
      }
      const problem = problemWith(sandbox, given.data, login);
      return problem === null ? register(sandbox, given.data) : refusal(...problem);
    }),
    http.get(anyOrigin("/gsp/ei/api/invoice/irn"), ({ request }) => {
      const login = loginOf(request);
      if (typeof login !== "string") return login;
      const known = sandbox.state.gsp[new URL(request.url).searchParams.get("irn") ?? ""];
      if (known === undefined) return refusal("2154", "IRN details are not found");
      if (sandbox.now() - known.ackAt > 2 * dayMs)
        return refusal("2283", "IRN details cannot be provided as it is generated more than 2 days ago");
      return success("E-invoice details fetched successfully", shown(known));
    }),
    http.post(anyOrigin("/gsp/ei/api/invoice/cancel"), async ({ request }) => {
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
