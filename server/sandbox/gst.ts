/**
 * The GSTIN look-up under `/gst`. Known: `29AABCB1234C1ZA` (Karnataka) and `27AABCB1234C1ZE` (Maharashtra) of one company, `27AAPFU0939F1ZV`
 * (Maharashtra) of another, `29AAGCS5678Q1Z7` (Karnataka, in a special economic zone), and `33AAACS4321K1ZM` (Tamil Nadu), whose registration is cancelled. Every other well-formed one is not found.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { at, type JsonObject, readJson } from "./wire.ts";

const wellFormed = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;

const businesses: Readonly<Record<string, JsonObject>> = {
  "29AABCB1234C1ZA": business("29AABCB1234C1ZA", "BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED", "Active", {
    building_name: "Lakeview Towers",
    flat_number: "4th Floor",
    street: "100 Feet Road",
    building_number: "221",
    location: "Indiranagar",
    city: "Bengaluru",
    district: "Bengaluru Urban",
    state: "Karnataka",
    pincode: "560038",
  }),
  "27AABCB1234C1ZE": business("27AABCB1234C1ZE", "BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED", "Active", {
    building_name: "Nariman Chambers",
    flat_number: "2",
    street: "Marine Drive",
    building_number: "9",
    location: "Churchgate",
    city: "Mumbai",
    district: "Mumbai",
    state: "Maharashtra",
    pincode: "400020",
  }),
  "27AAPFU0939F1ZV": business("27AAPFU0939F1ZV", "UNITED HARBOUR TRADERS", "Active", {
    building_name: "Marine Chambers",
    flat_number: "12",
    street: "Dr Annie Besant Road",
    building_number: "48",
    location: "Worli",
    city: "Mumbai",
    district: "Mumbai",
    state: "Maharashtra",
    pincode: "400018",
  }),
  "29AAGCS5678Q1Z7": {
    ...business("29AAGCS5678Q1Z7", "SILVER COMET SOFTWARE PRIVATE LIMITED", "Active", {
      building_name: "Gateway Block",
      flat_number: "2nd Floor",
      street: "Software Technology Zone",
      building_number: "7",
      location: "Whitefield",
      city: "Bengaluru",
      district: "Bengaluru Urban",
      state: "Karnataka",
      pincode: "560066",
    }),
    taxpayer_type: "SEZ Unit",
  },
  "33AAACS4321K1ZM": business("33AAACS4321K1ZM", "SOUTHERN KITE EXPORTS LIMITED", "Cancelled", {
    building_name: "Pearl Plaza",
    flat_number: "3",
    street: "Anna Salai",
    building_number: "510",
    location: "Teynampet",
    city: "Chennai",
    district: "Chennai",
    state: "Tamil Nadu",
    pincode: "600018",
  }),
};

function business(GSTIN: string, name: string, status: string, address: Record<string, string>): JsonObject {
  const { building_number, building_name, flat_number, street, location, city, state, pincode } = address;
  return {
    reference_id: Number.parseInt(GSTIN.slice(7, 11), 10),
    GSTIN,
    legal_name_of_business: name,
    trade_name_of_business: name,
    center_jurisdiction: `${city} Central`,
    state_jurisdiction: `${location}, ${state}`,
    date_of_registration: "2018-04-02",
    constitution_of_business: name.includes("LIMITED") ? "Private Limited Company" : "Partnership",
    taxpayer_type: "Regular",
    gst_in_status: status,
    last_update_date: "2024-06-11",
    nature_of_business_activities: ["Supplier of Services", "Office / Sale Office"],
    principal_place_address: [
      building_number,
      building_name,
      flat_number,
      street,
      location,
      city,
      state,
      pincode,
    ].join(", "),
    principal_place_split_address: { ...address, latitude: "", longitude: "" },
    additional_address_array: [],
    statement: "GSTIN Exists",
    valid: true,
    message: "GSTIN Exists",
  };
}

export function gstHandlers(): HttpHandler[] {
  return [
    http.post(at("/gst/verification/gstin"), async ({ request }) => {
      const { headers } = request;
      if ((headers.get("x-client-id") ?? "") === "" || (headers.get("x-client-secret") ?? "") === "") {
        return refusal(401, "authentication_failed", "authentication Failed", "authentication_error");
      }
      const body = z.object({ GSTIN: z.string() }).safeParse(await readJson(request).catch(() => undefined));
      if (!body.success)
        return refusal(400, "gstin_missing", "GSTIN is missing in the request", "validation_error");
      const { GSTIN } = body.data;
      if (!wellFormed.test(GSTIN))
        return refusal(400, "gstin_invalid", "Invalid GSTIN format", "validation_error");
      const found = businesses[GSTIN];
      return HttpResponse.json(found ?? { GSTIN, valid: false, message: "GSTIN Doesn't Exist" });
    }),
  ];
}

function refusal(status: number, code: string, message: string, type: string) {
  return HttpResponse.json({ code, message, type }, { status });
}
