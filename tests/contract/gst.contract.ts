/**
 * The GSTIN look-up, as the store uses it: in Cashfree's test environment with credentials, else in our sandbox. It has no
 * effects.
 */
import { describe, expect, test } from "vitest";
import { gstOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf } from "./fixtures.ts";
import { gstReads } from "./reads.ts";
import { startSide } from "./test-target.ts";

const side = await startSide("gst");
const gst = gstOf(side);
const exchanges = recordExchanges();
/** The example in Cashfree's documentation; our sandbox has a different one. */
const known = side.sandbox === null ? "29AAICP2912R1ZR" : "29AABCB1234C1ZA";
const unknown = "29ZZZZZ9999Z1ZN";

describe.sequential(`GSTIN look-up, against ${side.against}`, () => {
  test("returns the name, status and address of a registered number", async () => {
    const found = await gst.lookUp(known);
    expect(found).toMatchObject({
      found: true,
      gstin: known,
      legalName: expect.stringMatching(/\w/),
      status: "Active",
      stateName: expect.stringMatching(/\w/),
      pincode: expect.stringMatching(/^\d{6}$/),
    });
    const [{ sent } = { sent: new Headers() }] = exchanges;
    expect(sent.get("x-client-id")).toBe(side.settings.GST_CLIENT_ID);
  });

  test("does not find another number", async () => {
    expect(await gst.lookUp(unknown)).toEqual({ found: false });
  });

  test("refuses a call without a secret with 401", async () => {
    await expect(gstOf(side, "").lookUp(known)).rejects.toMatchObject({ kind: "misconfigured", status: 401 });
  });

  test.each(fixturesOf("gst"))("$name has the documented shape", async (fixture) => {
    const call = async () => gstReads[fixture.name]?.(gst);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
