// The protocol of the GSTIN register.
import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect, test } from "vitest";
import { createGst, signatureOf } from "#server/integrations/gst.ts";
import { answering, failureOf, json, wire } from "./support.ts";

const server = wire();
const url = "https://gst.test/verification/gstin";
const config = { apiUrl: "https://gst.test/", clientId: "id", clientSecret: "hush", timeoutMs: 1000 };
const gst = createGst({ ...config, publicKey: null });
const gstin = "29AABCB1234C1ZA";

test("asks with both credentials and reads name, status and address", async () => {
  const { handler, sent } = answering(
    url,
    json({
      GSTIN: gstin,
      legal_name_of_business: "BRIO LIMITED",
      trade_name_of_business: "BRIO\tDESKS",
      gst_in_status: "Active",
      principal_place_split_address: {
        building_name: "Prestige Towers",
        flat_number: "4th Floor",
        street: "MG Road",
        building_number: null,
        city: "Bengaluru",
        state: "Karnataka",
        pincode: 560001,
      },
      valid: true,
    }),
  );
  server.use(handler);
  expect(await gst.lookUp(gstin)).toEqual({
    found: true,
    gstin,
    legalName: "BRIO LIMITED",
    tradeName: "BRIO DESKS",
    status: "Active",
    taxpayerType: "",
    buildingName: "Prestige Towers",
    floorNumber: "4th Floor",
    street: "MG Road",
    buildingNumber: "",
    city: "Bengaluru",
    stateName: "Karnataka",
    pincode: "560001",
  });
  expect(sent).toMatchObject([
    { method: "POST", headers: { "x-client-id": "id", "x-client-secret": "hush" }, body: { GSTIN: gstin } },
  ]);
});

test.each([
  ["404", json({ message: "no" }, 404)],
  ["400 about the number", json({ code: "gstin_invalid", message: "GSTIN doesn't exist" }, 400)],
  ["422 about the number", json({ message: "GSTIN not found" }, 422)],
  ["200 that says it is not valid", json({ valid: false, message: "GSTIN Doesn't Exist" })],
  ["200 without a name", json({ GSTIN: gstin })],
])("returns not found for %s", async (_name, reply) => {
  server.use(answering(url, reply).handler);
  expect(await gst.lookUp(gstin)).toEqual({ found: false });
});

test.each([
  [
    "bad credentials",
    json({ code: "authentication_failed", message: "Invalid clientId" }, 401),
    "misconfigured",
  ],
  ["another 400", json({ code: "insufficient_balance", message: "Insufficient balance" }, 400), "refused"],
  ["a register that is down", json({}, 503), "transient"],
])("reports %s as an error instead of an unknown number", async (_name, reply, kind) => {
  server.use(answering(url, reply).handler);
  expect(await failureOf(gst.lookUp(gstin))).toMatchObject({ provider: "gst", kind });
});

test("signs a call with the client id and the time, readable only with the private key", () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const at = new Date("2026-11-25T00:00:00Z");
  const signature = signatureOf("CF-1", publicKey.export({ type: "spki", format: "pem" }).toString(), at);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const plain = privateDecrypt({ key: privateKey, padding }, Buffer.from(signature, "base64")).toString();
  expect(plain).toBe(`CF-1.${at.getTime() / 1000}`);
});
