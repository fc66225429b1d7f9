/**
 * The businesses of the sandbox's GST register: `29AABCB1234C1ZA` (Karnataka) and `27AABCB1234C1ZE` (Maharashtra) of one company,
 * `27AAPFU0939F1ZV` (Maharashtra) of another, `29AAGCS5678Q1Z7` (Karnataka, in a special economic zone), `33AAACS4321K1ZM` (Tamil Nadu),
 * whose registration is cancelled, and `29ABCPS1234K1ZI`, a proprietor with a trade name. Further places of the first company have states as
 * the register spells them, and one of each other kind is known by its number: a department, an embassy, a marketplace.
 */
import type { JsonObject } from "./http-helpers.ts";

const office = {
  building_name: "Meridian House",
  flat_number: "2nd Floor",
  street: "Station Road",
  building_number: "14",
};

export const registeredBusinesses: Readonly<Record<string, JsonObject>> = {
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
  "29ABCPS1234K1ZI": {
    ...business("29ABCPS1234K1ZI", "ANITA RAO", "Active", {
      building_name: "Rao House",
      flat_number: "Ground Floor",
      street: "Commercial Street",
      building_number: "16",
      location: "Shivaji Nagar",
      city: "Bengaluru",
      district: "Bengaluru Urban",
      state: "Karnataka",
      pincode: "560001",
    }),
    trade_name_of_business: "RAO OFFICE SUPPLIES",
    constitution_of_business: "Proprietorship",
  },
  ...branches([
    ["01AABCB1234C1ZS", "Srinagar", "Jammu & Kashmir", "190001"],
    ["07AABCB1234C1ZG", "New Delhi", "Delhi (NCT)", "110001"],
    ["22AABCB1234C1ZO", "Raipur", "Chattisgarh", "492001"],
    ["26AABCB1234C1ZG", "Daman", "DADRA & NAGAR HAVELI AND DAMAN & DIU", "396210"],
    ["33AABCB1234C1ZL", "Chennai", "Tamilnadu", "600018"],
    ["34AABCB1234C1ZJ", "Puducherry", "Puducherry ", "605001"],
    ["36AABCB1234C1ZF", "Hyderabad", "", "500081"],
    ["38AABCB1234C1ZB", "Leh", "Ladakh (UT)", "194101"],
  ]),
  ...ofKind("29BLRB20456C1DK", "DIRECTORATE OF LAKES", "Tax Deductor"),
  ...ofKind("0717FRA00031UNP", "EMBASSY OF A FRIENDLY STATE", "Embassy"),
  ...ofKind("33AAPFU0939F1CD", "UNITED HARBOUR TRADERS", "Tax Collector (e-Commerce)"),
};

/** Places of one company: number, city, the state as the register spells it, pincode. */
function branches(
  rows: readonly (readonly [gstin: string, city: string, state: string, pincode: string])[],
): Record<string, JsonObject> {
  return Object.fromEntries(
    rows.map(([gstin, city, state, pincode]) => {
      const address = { ...office, location: city, city, district: city, state, pincode };
      return [gstin, business(gstin, "BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED", "Active", address)];
    }),
  );
}

/** A registration of another taxpayer type, at an address without a state. */
function ofKind(gstin: string, name: string, taxpayerType: string): Record<string, JsonObject> {
  const city = { "07": "New Delhi", "29": "Bengaluru" }[gstin.slice(0, 2)] ?? "Chennai";
  const pincode = { "07": "110021", "29": "560001" }[gstin.slice(0, 2)] ?? "600018";
  const address = { ...office, location: city, city, district: city, state: "", pincode };
  return { [gstin]: { ...business(gstin, name, "Active", address), taxpayer_type: taxpayerType } };
}

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
