/**
 * Document registration through a GSP, as the store uses it: in a test account with credentials, where it only looks up and is
 * refused, else in our sandbox, where it registers an invoice and cancels it.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eInvoiceBody, toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import { accountAnswers, catalogueItem, invoiceOf, pricedOrder } from "#tests/support/priced-order.ts";
import { eInvoicesOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf } from "./fixtures.ts";
import { gspReads } from "./reads.ts";
import { setting, startSide } from "./test-target.ts";

const side = await startSide("gsp");
const gsp = eInvoicesOf(side);
const exchanges = recordExchanges();
const gstin = setting(side, "SELLER_GSTIN");
const unknown = "0".repeat(64);

/** An invoice of the store to a company in another state, dated today. */
function invoice(buyer = "27AAPFU0939F1ZV") {
  const item = catalogueItem("microsoft-365-business-standard");
  const selection = { term: "P1Y", billingCycle: "annual", quantity: 2 } as const;
  const account = accountAnswers({
    gst_code: buyer,
    state: "Maharashtra",
    city: "Mumbai",
    pincode: "400001",
  });
  const supply = { type: "B2B", letter: null } as const;
  const order = pricedOrder(item, "IN", selection, priceSelection(item, "IN", selection), {
    account,
    details: { supply },
  });
  const { facts } = invoiceOf(order);
  const found = toRegistrable({ facts });
  if (found === null) throw new Error("It needs no registration");
  return eInvoiceBody({ number: "IN/26-27/000042", kind: "INV", issuedAt: new Date(), facts }, found);
}

const qr = z.object({ iss: z.string(), data: z.string().transform((text): unknown => JSON.parse(text)) });

describe.sequential(`GSP, against ${side.against}`, () => {
  test("does not find an unregistered document", async () => {
    expect(await gsp.find(gstin, unknown, randomUUID())).toBeNull();
    const [{ sent } = { sent: new Headers() }] = exchanges;
    expect(sent.get("gstin")).toBe(gstin);
    expect(sent.get("user_name")).toBe(side.settings.EINVOICE_USER_IN);
    expect(sent.get("requestid")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("does nothing with a wrong password, and works once it is corrected", async () => {
    await expect(eInvoicesOf(side, "").find(gstin, unknown, randomUUID())).rejects.toMatchObject({
      kind: "transient",
    });
  });

  describe.skipIf(side.sandbox === null)("a document", () => {
    const body = invoice();

    test("registers once, with a QR code that describes it", async () => {
      const made = await gsp.register(gstin, body, randomUUID());
      if (!("irn" in made)) throw new Error("It was registered before");
      expect(made.irn).toMatch(/^[0-9a-f]{64}$/);
      expect(Math.abs(made.acknowledgedAt.getTime() - Date.now())).toBeLessThan(60_000);
      const [, payload = ""] = made.signedQr.split(".");
      const { iss, data } = qr.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
      expect(iss).toBe("NIC");
      expect(data).toMatchObject({
        SellerGstin: gstin,
        BuyerGstin: body.BuyerDtls.Gstin,
        DocNo: body.DocDtls.No,
        DocTyp: "INV",
        DocDt: body.DocDtls.Dt,
        TotInvVal: body.ValDtls.TotInvVal,
        Irn: made.irn,
      });
      expect(await gsp.register(gstin, body, randomUUID())).toEqual({ duplicateOf: made.irn });
      expect(await gsp.find(gstin, made.irn, randomUUID())).toEqual(made);
    });

    test("reports the portal's code for an invalid GSTIN", async () => {
      const wrong = { ...body, BuyerDtls: { ...body.BuyerDtls, Gstin: "27" } };
      const refused = gsp.register(gstin, wrong, randomUUID());
      await expect(refused).rejects.toMatchObject({ kind: "refused", code: "3028" });
    });

    test("accepts its cancellation within a day, also a repeated one", async () => {
      const { duplicateOf } = z
        .object({ duplicateOf: z.string() })
        .parse(await gsp.register(gstin, body, randomUUID()));
      const cancellation = { irn: duplicateOf, code: "3", words: "Order cancelled" };
      await gsp.cancel(gstin, cancellation, randomUUID());
      await gsp.cancel(gstin, cancellation, randomUUID());
    });

    test("disappears after two days", async () => {
      const { duplicateOf } = z
        .object({ duplicateOf: z.string() })
        .parse(await gsp.register(gstin, body, randomUUID()));
      if (side.sandbox !== null) side.sandbox.sandbox.clockOffset = 3 * 86_400_000;
      expect(await gsp.find(gstin, duplicateOf, randomUUID())).toBe("hidden");
    });
  });

  /** Responses that only a registered document gets. */
  const seen = fixturesOf("gsp").filter(({ name }) => side.sandbox !== null || name === "no-longer-shown");
  test.each(seen)("$name has the documented shape", async (fixture) => {
    const call = async () => gspReads[fixture.name]?.(gsp);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
