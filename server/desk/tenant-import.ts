/**
 * Imports existing tenants: staff, who have seen evidence, bind a vendor account to a company, one at a time or many through a
 * file that is compared before it applies. This stores the control proof that an order needs, with staff as its source
 * (docs/decisions/tenants.md#proof-of-control). A tenant of another company is never taken.
 */
import { createHash } from "node:crypto";
import {
  type Customer,
  findCustomersByIdentifier,
  hasVerifiedOwner,
  selectCustomer,
} from "#db/accounts/customers.ts";
import { saveTenant } from "#db/accounts/tenants.ts";
import {
  findOwnTenantId,
  isProvenByAnother,
  isTenantOwnedByAnother,
  lockTenantName,
  type TenantClaim,
} from "#db/fulfilment/control-proofs.ts";
import { type CustomerId, parseId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { type AuditActor, type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { readTable, type TableHeader, type TableRow } from "#server/foundation/csv.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { hasControlProof, recordControlProof } from "#server/fulfilment/control-proof.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";

/** The tenant to bind, as entered or written in a file. */
export interface TenantImportRow {
  customerId: CustomerId;
  family: FamilyId;
  domain: string;
  /** The vendor's id, compared with the vendor's id for the domain; empty when only the domain is known. */
  externalId: string;
  /** Evidence that staff have seen. */
  evidence: string;
  /** Place where the evidence is stored. */
  reference: string;
}

/** A tenant that can be bound: found at the vendor, and not another company's. */
interface Bindable extends TenantImportRow {
  name: string;
  country: Customer["country"];
}

/** Reason why a tenant is not bound, for staff. "there": it is bound already. */
interface Hindrance {
  outcome: "there" | "elsewhere" | "malformed";
  said: string;
}

const maxDomainLength = 253;
const maxEvidenceLength = 500;
const maxReferenceLength = 200;

/**
 * Binds one tenant.
 * @throws DomainError bad_request at a field; conflict for a tenant that another company has, or that is bound already;
 * provider_unavailable; not_found for an unknown company
 */
export async function linkTenant(
  context: Context,
  brought: TenantImportRow,
  operator: AuditActor,
  now = new Date(),
): Promise<{ domain: string; externalId: string }> {
  const customer = await selectCustomer(context.db, brought.customerId);
  if (customer === undefined) throw notFound("company");
  const found = await look(context, customer, brought, now);
  if ("outcome" in found) throw refusalOf(found);
  await context.db.transaction().execute((trx) => bind(trx, found, operator, now));
  return found;
}

const refusalOf = ({ outcome, said }: Hindrance) =>
  outcome === "malformed" ? wrongField("domain", said) : new DomainError("conflict", said);

/** Reads the tenant at the vendor, and its company in the store. @throws ProviderError */
async function look(
  context: Context,
  customer: Customer,
  brought: TenantImportRow,
  now: Date,
): Promise<Bindable | Hindrance> {
  const { tenants, label } = families[brought.family];
  const malformed = (said: string) => ({ outcome: "malformed" as const, said });
  if (tenants === null)
    return malformed(`${label} has no tenants. Import its subscriptions one at a time on the company page.`);
  const domain = brought.domain.toLowerCase();
  if (domain.length > maxDomainLength || !/^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(domain))
    return malformed("Enter a full domain, such as acme.com.");
  if (!(await hasVerifiedOwner(context.db, customer.id)))
    return malformed(
      `No owner of ${customer.name} has confirmed their email yet, so we can't link anything to this company.`,
    );
  const found = await tenants.identify(context, { domain, country: customer.country });
  if ("not" in found) return malformed(found.not);
  const externalId = tenants.keyOf(found.externalId);
  if (brought.externalId !== "" && tenants.keyOf(brought.externalId) !== externalId)
    return malformed(`${label} says the domain belongs to a different tenant: ${externalId}.`);
  const bindable = { ...brought, domain, externalId, name: customer.name, country: customer.country };
  return (await hindranceOf(context.db, bindable, now)) ?? bindable;
}

async function hindranceOf(
  db: Db,
  { customerId, family, externalId }: TenantImportRow,
  now: Date,
): Promise<Hindrance | null> {
  const claim = { customerId, family, tenantExternalId: externalId };
  if ((await isTenantOwnedByAnother(db, claim)) || (await isProvenByAnother(db, claim, now)))
    return { outcome: "elsewhere", said: "It already belongs to another company here." };
  if ((await findOwnTenantId(db, claim)) !== null && (await hasControlProof(db, claim, now)))
    return { outcome: "there", said: "Already linked to this company." };
  return null;
}

/**
 * Writes the same as a fulfilled order: the company's tenant and the proof. The tenant's subscriptions are read soon after.
 * @throws DomainError conflict when another company has it by now
 */
async function bind(trx: Trx, bindable: Bindable, { by, staffId }: AuditActor, now: Date): Promise<void> {
  const { customerId, family, domain, name, country, evidence, reference } = bindable;
  await lockTenantName(trx, { family, tenantExternalId: bindable.externalId });
  const whyNot = await hindranceOf(trx, bindable, now);
  if (whyNot !== null) throw new DomainError("conflict", whyNot.said);
  const claim: TenantClaim = { customerId, family, tenantExternalId: bindable.externalId };
  // An earlier row keeps its spelling, by which proof and sync find it.
  const externalId = (await findOwnTenantId(trx, claim)) ?? bindable.externalId;
  await saveTenant(trx, { customerId, family, externalId, domain, name, country });
  await recordControlProof(
    trx,
    { ...claim, tenantExternalId: externalId },
    {
      method: "staff",
      order: null,
      seen: { evidence, reference, by, staffId },
      authenticatedAt: now,
      by: null,
    },
  );
  await addJob(
    trx,
    "sync-account",
    { family, externalId },
    { jobKey: `sync:${family}:${externalId}`, queueName: "sync", maxAttempts: 3 },
  );
}

/** A line of a file, and its result. */
export interface TenantImportLine {
  /** Line number from 1, header line included. */
  line: number;
  outcome: "new" | Hindrance["outcome"];
  /** Company, vendor and domain as written. */
  what: string;
  said: string;
}

export interface TenantImportDiff {
  lines: TenantImportLine[];
  counts: Readonly<Record<TenantImportLine["outcome"], number>>;
  /** Hash of the tenants to bind, so that the confirmation binds nothing else. */
  digest: string;
}

const titles = ["company", "vendor", "domain", "tenant", "evidence", "reference"] as const;
type Title = (typeof titles)[number];
export const csvHeader = titles.join(",");

/** Each line costs one or two calls to its vendor, while the member of staff waits. */
export const maxImportLines = 200;
const atOnce = 4;

/**
 * Compares a file with the existing tenants, and writes nothing.
 * @param text comma-separated, with a header line; a company by its id, its GSTIN, an owner's email or its whole name
 * @throws DomainError bad_request for an unreadable file; ProviderError
 */
export async function compareTenantImport(
  context: Context,
  text: string,
  now = new Date(),
): Promise<TenantImportDiff> {
  return (await compare(context, text, now)).diff;
}

/**
 * Binds the new tenants of a file, all of them or none.
 * @param given.confirmed the digest of the comparison that was shown
 * @throws DomainError conflict when other tenants would be bound by now, or none; bad_request; ProviderError
 */
export async function applyTenantImport(
  context: Context,
  text: string,
  { confirmed, audit }: { confirmed: string; audit: AuditContext },
  now = new Date(),
): Promise<TenantImportDiff> {
  const { diff, bindable } = await compare(context, text, now);
  if (confirmed !== diff.digest)
    throw new DomainError("conflict", "The result has changed since you compared the file. Review it again.");
  if (bindable.length === 0) throw new DomainError("conflict", "This file has nothing new.");
  await context.db.transaction().execute(async (trx) => {
    // Sorted, so that concurrent imports lock their tenants in the same order.
    const inOrder = [...bindable].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
    for (const each of inOrder) await bind(trx, each, audit, now);
    const { by, reason, staffId } = audit;
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "tenants.import",
      subject: `tenants:${diff.digest.slice(0, 12)}`,
      data: { reason, by, bound: bindable.length, refused: diff.lines.length - bindable.length },
    });
  });
  return diff;
}

const keyOf = ({ family, externalId }: Pick<TenantImportRow, "family" | "externalId">) =>
  `${family} ${externalId}`;

async function compare(
  context: Context,
  text: string,
  now: Date,
): Promise<{ diff: TenantImportDiff; bindable: Bindable[] }> {
  const written = await readLines(text);
  const looked: { line: number; what: string; found: Bindable | Hindrance }[] = [];
  for (let from = 0; from < written.length; from += atOnce) {
    const some = written.slice(from, from + atOnce);
    looked.push(...(await Promise.all(some.map((line) => lookAt(context, line, now)))));
  }
  const firstLines = new Map<string, number>();
  const bindable: Bindable[] = [];
  const lines = looked.map(({ line, what, found }): TenantImportLine => {
    if ("outcome" in found) return { line, what, ...found };
    const key = keyOf(found);
    const first = firstLines.get(key);
    if (first !== undefined) return { line, what, outcome: "malformed", said: `Duplicate of line ${first}.` };
    firstLines.set(key, line);
    bindable.push(found);
    return { line, what, outcome: "new", said: `Tenant ${found.externalId} will be linked to the company.` };
  });
  const count = (outcome: TenantImportLine["outcome"]) =>
    lines.filter((line) => line.outcome === outcome).length;
  const digest = createHash("sha256")
    .update(
      JSON.stringify(bindable.map((each) => [each.customerId, keyOf(each), each.evidence, each.reference])),
    )
    .digest("hex");
  const counts = {
    new: count("new"),
    there: count("there"),
    elsewhere: count("elsewhere"),
    malformed: count("malformed"),
  };
  return { diff: { lines, counts, digest }, bindable };
}

type WrittenLine = TableRow<Title>;

async function lookAt(context: Context, { line, cell }: WrittenLine, now: Date) {
  const what = [cell("company"), cell("vendor"), cell("domain")].map((text) => text || "(empty)").join(", ");
  return { line, what, found: await foundIn(context, cell, now) };
}

async function foundIn(
  context: Context,
  cell: WrittenLine["cell"],
  now: Date,
): Promise<Bindable | Hindrance> {
  const malformed = (said: string): Hindrance => ({ outcome: "malformed", said });
  for (const title of ["company", "vendor", "domain", "evidence", "reference"] as const)
    if (cell(title) === "") return malformed(`The ${title} is missing.`);
  const [evidence, reference] = [cell("evidence"), cell("reference")];
  if (evidence.length > maxEvidenceLength)
    return malformed(`The evidence has more than ${maxEvidenceLength} characters.`);
  if (reference.length > maxReferenceLength)
    return malformed(`The reference has more than ${maxReferenceLength} characters.`);
  const vendor = cell("vendor").toLowerCase();
  const family = familyIds.find((id) =>
    [id, families[id].label, families[id].name].some((name) => name.toLowerCase() === vendor),
  );
  if (family === undefined) return malformed(`Unknown vendor "${cell("vendor")}".`);
  const companies = await companiesNamed(context.db, cell("company"));
  const [customer, ...others] = companies;
  if (customer === undefined) return malformed(`No company matches "${cell("company")}".`);
  if (others.length > 0) return malformed(`Several companies match "${cell("company")}". Use its ID.`);
  const brought = {
    customerId: customer.id,
    family,
    domain: cell("domain"),
    externalId: cell("tenant"),
    evidence,
    reference,
  };
  try {
    return await look(context, customer, brought, now);
  } catch (error) {
    // A refusal concerns this line. A vendor that does not respond says nothing about any line.
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    return malformed(`${families[family].label} didn't say who owns it.`);
  }
}

function companiesNamed(db: Db, text: string): Promise<Customer[]> {
  return findCustomersByIdentifier(db, { text, id: parseId<CustomerId>(text.toLowerCase()) });
}

/** @throws DomainError bad_request */
async function readLines(text: string): Promise<WrittenLine[]> {
  const wrong = (said: string) => wrongField("file", said);
  const lines: WrittenLine[] = [];
  const check = ({ missing }: TableHeader<Title>) => {
    const lacking = missing.filter((title) => title !== "tenant");
    if (lacking.length > 0) throw wrong(`The header row is missing: ${lacking.join(", ")}.`);
  };
  try {
    for await (const line of readTable(inOnePiece(text), { name: "file", titles, check })) {
      if (lines.length === maxImportLines) throw wrong(`Use up to ${maxImportLines} lines per file.`);
      lines.push(line);
    }
  } catch (error) {
    throw error instanceof FileError ? wrong(error.message) : error;
  }
  if (lines.length === 0) throw wrong("The file has only a header row.");
  return lines;
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}
