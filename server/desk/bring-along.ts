/**
 * Tenants that customers bring along: staff, who have seen evidence, bind an account at a vendor to a company, one by one or many by a
 * file that is compared before it applies. What is written is the proof of control that an order asks for, with staff as its source
 * (docs/decisions/proof-of-control.md). A tenant of another company is never taken.
 */
import { createHash } from "node:crypto";
import {
  type Claim,
  findHeldId,
  isHeldByAnother,
  isProvenByAnother,
  lockTenantName,
} from "#db/control-proofs.ts";
import { type Customer, hasProvenOwner, selectCustomer, selectCustomersNamed } from "#db/customers.ts";
import { type CustomerId, parseId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { saveTenant } from "#db/tenants.ts";
import { type Operator, type Ordered, record } from "#server/accounts/audit.ts";
import type { Context } from "#server/context.ts";
import { csvRows } from "#server/csv.ts";
import { DomainError, notFound, wrongField } from "#server/errors.ts";
import { families, familyIds } from "#server/families/family.ts";
import { isProven, recordProof } from "#server/fulfilment/control.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";

/** What is bound, as it was typed or written in a file. */
export interface Brought {
  customerId: CustomerId;
  family: FamilyId;
  domain: string;
  /** The vendor's id, to be compared with what the vendor says of the domain; empty where only the domain is known. */
  externalId: string;
  /** What was seen. */
  evidence: string;
  /** Where it is kept. */
  reference: string;
}

/** What can be bound: found at the vendor, and nobody else's. */
interface Bindable extends Brought {
  name: string;
  country: Customer["country"];
}

/** Why something is not bound, for staff. "there": it needs not be. */
interface Hindrance {
  outcome: "there" | "elsewhere" | "malformed";
  said: string;
}

const longestDomain = 253;
const longestEvidence = 500;
const longestReference = 200;

/**
 * Binds one.
 * @throws DomainError bad_request at a field; conflict for a tenant that another company has, or that is bound already;
 * provider_unavailable; not_found for a company there is not
 */
export async function bindTenant(
  context: Context,
  brought: Brought,
  operator: Operator,
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

/** Asks the vendor for the tenant, and the store whose it is. @throws ProviderError */
async function look(
  context: Context,
  customer: Customer,
  brought: Brought,
  now: Date,
): Promise<Bindable | Hindrance> {
  const { tenants, label } = families[brought.family];
  const malformed = (said: string) => ({ outcome: "malformed" as const, said });
  if (tenants === null)
    return malformed(
      `${label} has no tenants: its subscriptions are brought along one by one, on the company's page.`,
    );
  const domain = brought.domain.toLowerCase();
  if (domain.length > longestDomain || !/^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(domain))
    return malformed("Enter a whole domain, such as acme.com.");
  if (!(await hasProvenOwner(context.db, customer.id)))
    return malformed(
      `No owner of ${customer.name} has confirmed their email yet. Nothing is given to a company before that.`,
    );
  const found = await tenants.identify(context, { domain, country: customer.country });
  if ("not" in found) return malformed(found.not);
  const externalId = tenants.keyOf(found.externalId);
  if (brought.externalId !== "" && tenants.keyOf(brought.externalId) !== externalId)
    return malformed(`${label} says that the domain belongs to another tenant: ${externalId}.`);
  const bindable = { ...brought, domain, externalId, name: customer.name, country: customer.country };
  return (await hindranceOf(context.db, bindable, now)) ?? bindable;
}

async function hindranceOf(
  db: Db,
  { customerId, family, externalId }: Brought,
  now: Date,
): Promise<Hindrance | null> {
  const claim = { customerId, family, tenantExternalId: externalId };
  if ((await isHeldByAnother(db, claim)) || (await isProvenByAnother(db, claim, now)))
    return { outcome: "elsewhere", said: "It belongs to another company here, and stays there." };
  if ((await findHeldId(db, claim)) !== null && (await isProven(db, claim, now)))
    return { outcome: "there", said: "It is the company's already." };
  return null;
}

/**
 * Writes what a fulfilled order would: the company's tenant and the proof. What the tenant holds is read soon after.
 * @throws DomainError conflict when another company has it by now
 */
async function bind(trx: Trx, bindable: Bindable, { by, staffId }: Operator, now: Date): Promise<void> {
  const { customerId, family, domain, name, country, evidence, reference } = bindable;
  await lockTenantName(trx, { family, tenantExternalId: bindable.externalId });
  const hindrance = await hindranceOf(trx, bindable, now);
  if (hindrance !== null) throw new DomainError("conflict", hindrance.said);
  const asked: Claim = { customerId, family, tenantExternalId: bindable.externalId };
  // A row from before keeps its spelling, by which proof and sync find it.
  const externalId = (await findHeldId(trx, asked)) ?? bindable.externalId;
  await saveTenant(trx, { customerId, family, externalId, domain, name, country });
  await recordProof(
    trx,
    { ...asked, tenantExternalId: externalId },
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

/** A line of a file, and what becomes of it. */
export interface BroughtLine {
  /** From 1, the line of titles included. */
  line: number;
  outcome: "new" | Hindrance["outcome"];
  /** As it is written: company, vendor and domain. */
  what: string;
  said: string;
}

export interface BroughtDiff {
  lines: BroughtLine[];
  counts: Readonly<Record<BroughtLine["outcome"], number>>;
  /** Names what would be bound, so that nothing else is when it is confirmed. */
  digest: string;
}

const titles = ["company", "vendor", "domain", "tenant", "evidence", "reference"] as const;
type Title = (typeof titles)[number];
export const titleLine = titles.join(",");

/** Each costs a call or two at its vendor, while whoever imports it waits. */
export const mostLines = 200;
const atOnce = 4;

/**
 * Compares a file with what there is, and writes nothing.
 * @param text comma-separated, with a line of titles first; a company by its id, its GSTIN, an owner's email or its whole name
 * @throws DomainError bad_request for a file that cannot be read at all; ProviderError
 */
export async function compareBrought(context: Context, text: string, now = new Date()): Promise<BroughtDiff> {
  return (await compare(context, text, now)).diff;
}

/**
 * Binds what is new in a file, all of it or nothing.
 * @param given.confirmed the digest of the comparison that was looked at
 * @throws DomainError conflict when something else would be bound by now, or nothing; bad_request; ProviderError
 */
export async function applyBrought(
  context: Context,
  text: string,
  { confirmed, ordered }: { confirmed: string; ordered: Ordered },
  now = new Date(),
): Promise<BroughtDiff> {
  const { diff, bindable } = await compare(context, text, now);
  if (confirmed !== diff.digest)
    throw new DomainError("conflict", "What the file would do has changed meanwhile. Look at it again.");
  if (bindable.length === 0) throw new DomainError("conflict", "Nothing in this file is new.");
  await context.db.transaction().execute(async (trx) => {
    // In one order for everybody, since each locks its tenant.
    const inOrder = [...bindable].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
    for (const each of inOrder) await bind(trx, each, ordered, now);
    const { by, reason, staffId } = ordered;
    await record(trx, {
      userId: null,
      staffId,
      action: "tenants.import",
      subject: `tenants:${diff.digest.slice(0, 12)}`,
      data: { reason, by, bound: bindable.length, refused: diff.lines.length - bindable.length },
    });
  });
  return diff;
}

const keyOf = ({ family, externalId }: Pick<Brought, "family" | "externalId">) => `${family} ${externalId}`;

async function compare(
  context: Context,
  text: string,
  now: Date,
): Promise<{ diff: BroughtDiff; bindable: Bindable[] }> {
  const written = await readLines(text);
  const looked: { line: number; what: string; found: Bindable | Hindrance }[] = [];
  for (let from = 0; from < written.length; from += atOnce) {
    const some = written.slice(from, from + atOnce);
    looked.push(...(await Promise.all(some.map((line) => lookAt(context, line, now)))));
  }
  const firstLines = new Map<string, number>();
  const bindable: Bindable[] = [];
  const lines = looked.map(({ line, what, found }): BroughtLine => {
    if ("outcome" in found) return { line, what, ...found };
    const key = keyOf(found);
    const first = firstLines.get(key);
    if (first !== undefined)
      return { line, what, outcome: "malformed", said: `The same tenant stands in line ${first}.` };
    firstLines.set(key, line);
    bindable.push(found);
    return { line, what, outcome: "new", said: `Tenant ${found.externalId} becomes the company's.` };
  });
  const count = (outcome: BroughtLine["outcome"]) => lines.filter((line) => line.outcome === outcome).length;
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

interface WrittenLine {
  line: number;
  cell: (title: Title) => string;
}

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
  if (evidence.length > longestEvidence)
    return malformed(`The evidence has more than ${longestEvidence} characters.`);
  if (reference.length > longestReference)
    return malformed(`The reference has more than ${longestReference} characters.`);
  const vendor = cell("vendor").toLowerCase();
  const family = familyIds.find((id) =>
    [id, families[id].label, families[id].name].some((name) => name.toLowerCase() === vendor),
  );
  if (family === undefined) return malformed(`There is no vendor "${cell("vendor")}".`);
  const companies = await companiesNamed(context.db, cell("company"));
  const [customer, ...others] = companies;
  if (customer === undefined) return malformed(`No company is found by "${cell("company")}".`);
  if (others.length > 0)
    return malformed(`Several companies are found by "${cell("company")}": give its id.`);
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
    // A refusal is of this line. A vendor that does not answer at all says nothing of any.
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    return malformed(`${families[family].label} refused to say whose it is.`);
  }
}

function companiesNamed(db: Db, text: string): Promise<Customer[]> {
  return selectCustomersNamed(db, { text, id: parseId<CustomerId>(text.toLowerCase()) });
}

/** @throws DomainError bad_request */
async function readLines(text: string): Promise<WrittenLine[]> {
  const wrong = (said: string) => wrongField("file", said);
  const lines: WrittenLine[] = [];
  let places: ReadonlyMap<string, number> | null = null;
  let line = 0;
  for await (const row of csvRows(inOnePiece(text.replace(/^\uFEFF/, "")))) {
    line += 1;
    if (row.every((cell) => cell.trim() === "")) continue;
    if (places === null) {
      const found = row.map((title) => title.trim().toLowerCase());
      const missing = titles.filter((title) => title !== "tenant" && !found.includes(title));
      if (missing.length > 0)
        throw wrong(`The first line names the columns. Missing: ${missing.join(", ")}.`);
      places = new Map(found.map((title, index) => [title, index]));
      continue;
    }
    if (lines.length === mostLines) throw wrong(`At most ${mostLines} lines at once.`);
    const at = places;
    lines.push({ line, cell: (title) => row[at.get(title) ?? -1]?.trim() ?? "" });
  }
  if (lines.length === 0) throw wrong("The file has no lines below its titles.");
  return lines;
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}
