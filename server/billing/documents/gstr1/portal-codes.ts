/**
 * All of the portal's codes and names in a return, in one place: they follow others' software and no return was filed with them
 * yet, so an accountant may want changes (docs/providers.md, section 4.1).
 */

/** Kinds of supply to a registered buyer: in the JSON, and in the files of the offline tool. */
export const invoiceTypes = {
  R: "Regular B2B",
  SEWP: "SEZ supplies with payment",
  SEWOP: "SEZ supplies without payment",
} as const;
export type InvoiceType = keyof typeof invoiceTypes;

/** Kinds of invoices abroad. */
export const exportTypes = { EXPWP: "WPAY", EXPWOP: "WOPAY" } as const;

/** Kind of supply that a credit note to an unregistered buyer corrects. */
export type UnregisteredType = "B2CL" | "EXPWP" | "EXPWOP";

/** Table 13. */
export const documentNatures = {
  invoice: { doc_num: 1, doc_typ: "Invoices for outward supply" },
  "credit note": { doc_num: 5, doc_typ: "Credit Note" },
} as const;

/** Services have neither unit nor quantity. */
export const unitOfServices = "NA";

export const maxDescriptionLength = 30;

/** Invoices above it to unregistered buyers in another state are listed individually (since August 2024). */
export const largeMinor = 1_00_000_00;

/** Place of supply of an export. */
export const exportPlace = { code: "96", name: "Other Countries" } as const;

/** Name of a place of supply outside all states. */
export const otherTerritory = "Other Territory";

/** Header line of each file. */
export const fileTitles = {
  b2b: "GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,Place Of Supply,Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,Taxable Value,Cess Amount",
  b2cl: "Invoice Number,Invoice date,Invoice Value,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN",
  b2cs: "Type,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN",
  exp: "Export Type,Invoice Number,Invoice date,Invoice Value,Port Code,Shipping Bill Number,Shipping Bill Date,Rate,Taxable Value,Cess Amount",
  cdnr: "GSTIN/UIN of Recipient,Receiver Name,Note Number,Note Date,Note Type,Place Of Supply,Reverse Charge,Note Supply Type,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount",
  cdnur:
    "UR Type,Note Number,Note Date,Note Type,Place Of Supply,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount",
  hsn: "HSN,Description,UQC,Total Quantity,Total Value,Taxable Value,Integrated Tax Amount,Central Tax Amount,State/UT Tax Amount,Cess Amount,Rate",
  docs: "Nature of Document,Sr. No. From,Sr. No. To,Total Number,Cancelled",
} as const;
