/**
 * Compares the portal's document with ours and its versions before a correction: a lost response may have been a registration,
 * and then that version is the valid one.
 */
import { z } from "zod";
import type { EInvoice } from "#db/billing/e-invoices.ts";
import { type DocumentRevision, listRevisions } from "#db/billing/refused-documents.ts";
import type { Db } from "#db/tables/index.ts";
import type { RegisteredDocument } from "#server/integrations/e-invoices.ts";

const bodySchema = z.object({
  DocDtls: z.object({ Typ: z.string(), No: z.string(), Dt: z.string() }),
  SellerDtls: z.object({ Gstin: z.string() }),
  BuyerDtls: z.object({ Gstin: z.string() }),
  ValDtls: z.object({ TotInvVal: z.number() }),
});

/** Returns the seller's GSTIN, which identifies a document at the portal. */
export function sellerOf(body: unknown): string {
  return bodySchema.parse(body).SellerDtls.Gstin;
}

/** Content of the signed QR code. */
const signedSchema = z.object({
  SellerGstin: z.string(),
  BuyerGstin: z.string(),
  DocNo: z.string(),
  DocTyp: z.string(),
  DocDt: z.string(),
  TotInvVal: z.coerce.number(),
});

/** Returns the reason why the registered document is not ours; null when it is. */
export function differenceOf(body: unknown, { signedQr }: RegisteredDocument): string | null {
  const ours = bodySchema.parse(body);
  const signed = signedSchema.safeParse(payloadOf(signedQr));
  if (!signed.success) return "The signed QR code cannot be read.";
  const { SellerGstin, BuyerGstin, DocNo, DocTyp, DocDt, TotInvVal } = signed.data;
  const pairs: [string, string | number, string | number][] = [
    ["seller", ours.SellerDtls.Gstin, SellerGstin],
    ["buyer", ours.BuyerDtls.Gstin, BuyerGstin],
    ["number", ours.DocDtls.No, DocNo],
    ["kind", ours.DocDtls.Typ, DocTyp],
    ["date", ours.DocDtls.Dt, DocDt],
    ["total", ours.ValDtls.TotInvVal, TotInvVal],
  ];
  const different = pairs.filter(([, our, their]) => our !== their).map(([name]) => name);
  return different.length === 0
    ? null
    : `A different document is registered: ${different.join(", ")} don't match.`;
}

/** Decodes a signed text. Not verified, because it comes from the portal over TLS. */
function payloadOf(jws: string): unknown {
  try {
    const [, payload = ""] = jws.split(".");
    const { data } = z
      .object({ data: z.string() })
      .parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** Reads the IRN in a signed QR code or signed invoice; null for another text. */
export function signedIrn(jws: string): string | null {
  const signed = z.object({ Irn: z.string().toLowerCase() }).safeParse(payloadOf(jws));
  return signed.success ? signed.data.Irn : null;
}

const partiesSchema = z.object({
  SellerDtls: z.record(z.string(), z.unknown()),
  BuyerDtls: z.record(z.string(), z.unknown()),
});

/**
 * Whether the signed invoice has the same parties as a body: compares each of our fields, regardless of number format and
 * letter case.
 */
function hasSameParties(body: unknown, { signedInvoice }: RegisteredDocument): boolean {
  const ours = partiesSchema.parse(body);
  const theirs = partiesSchema.safeParse(payloadOf(signedInvoice));
  if (!theirs.success) return false;
  const { data } = theirs;
  return (["SellerDtls", "BuyerDtls"] as const).every((party) =>
    Object.entries(ours[party]).every(([name, value]) => written(value) === written(data[party][name])),
  );
}

const written = (value: unknown) =>
  String(value ?? "")
    .trim()
    .toUpperCase();

/** The registered version; null for the newest one. */
export type RegisteredVersion = { problem: string } | { problem: null; earlier: DocumentRevision | null };

/** Finds the version of a document that the portal has. @returns a problem when it has another document under the number */
export async function findRegisteredVersion(
  db: Db,
  { number, body, revision }: Pick<EInvoice, "number" | "body" | "revision">,
  registered: RegisteredDocument,
): Promise<RegisteredVersion> {
  const problem = differenceOf(body, registered);
  if (revision === 0) return problem === null ? { problem, earlier: null } : { problem };
  if (problem === null && hasSameParties(body, registered)) return { problem, earlier: null };
  const earlier = (await listRevisions(db, number)).find(
    (each) => differenceOf(each.body, registered) === null && hasSameParties(each.body, registered),
  );
  if (earlier !== undefined) return { problem: null, earlier };
  return { problem: problem ?? "A different document is registered: the parties don't match." };
}
