/**
 * What a migration may do while the version before it serves, on tables that have millions of rows: expand now, contract a release later
 * (docs/decisions/database.md#migrations). The rules read statements as `statementsOf` gives them.
 */

/** Tables that are small in any store, so that reading them is instant. Every other table is assumed to grow. */
export const smallTables: readonly string[] = [
  "agreement_versions",
  "catalogue_items",
  "clock_jobs",
  "countries",
  "currencies",
  "dated_prices",
  "families",
  "invoice_series",
  "payment_providers",
  "price_list_rows",
  "price_lists",
  "prices",
  "provider_limits",
  "provider_secrets",
  "settlement_days",
  "slide_titles",
  "staff",
  "staff_links",
  "staff_recovery_codes",
  "staff_roles",
  "vendor_differences",
  "vendor_items",
  "vendor_pauses",
  "vendor_prices",
  "vendor_statements",
  "webhook_pulses",
  "worker_heartbeats",
];

export interface RuleViolation {
  rule: Rule;
  /** The part of a statement that breaks the rule. */
  at: string;
}

/** Explanation of each rule, shown when a migration breaks it. */
export const rules = {
  drop: "The version that serves still uses what is dropped or renamed: drop it a release later.",
  "not-null": "The version that serves may leave it out: give a default, or let it be null.",
  type: "A change of type rewrites the table, and the version that serves reads the old one: add a column.",
  rewrite:
    "A column whose default differs from row to row rewrites the table: add it without, and fill it by a job.",
  scan: "Every row is read while the table is locked: add it `not valid`, and validate it in a later migration.",
  validate: "It keeps the lock of the constraint that it validates: validate in a later migration.",
  unique: "The index of a constraint is built while the table is locked: build a unique index, and use it.",
  index:
    "Without `if not exists` it cannot be built ahead, while writes go on: say `create index if not exists`.",
  "index-too-early":
    "The index of a column of the same migration cannot be built ahead: make it in the next migration.",
  rows: "Every row is changed in one transaction: fill it by a job, in batches, or as rows are written.",
  lock: "It locks a whole table for as long as it takes.",
} as const;
export type Rule = keyof typeof rules;

const changingDefault =
  /\bdefault\s+(gen_random_uuid|uuid_\w+|random|clock_timestamp|statement_timestamp|timeofday|nextval)\s*\(/;

/** @returns violations, in the order of the statements */
export function findRuleViolations(statements: readonly string[]): RuleViolation[] {
  const made = new Set<string>();
  const breaches: RuleViolation[] = [];
  const newColumns: { table: string; column: string }[] = [];
  const addedUnchecked = new Set<string>();
  const grows = (table: string) => !made.has(table) && !smallTables.includes(table);
  const add = (rule: Rule, at: string) => breaches.push({ rule, at });

  for (const text of statements.map(plain)) {
    const created = /^create table (?:if not exists )?(\w+)/.exec(text)?.[1];
    if (created !== undefined) made.add(created);
    if (/^drop (table|view|type|function|sequence|schema|extension)\b/.test(text)) add("drop", text);
    if (/^drop index\b/.test(text)) add("drop", text);
    if (/^(truncate|lock|cluster|reindex|vacuum)\b/.test(text)) add("lock", text);
    const changed = /^(?:update|delete from) (\w+)/.exec(text)?.[1];
    if (changed !== undefined && grows(changed)) add("rows", text);
    checkIndex(text);
    const [, table = "", clauses = ""] = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(text) ?? [];
    if (table !== "") for (const clause of partsOf(clauses)) checkClause(table, clause, partsOf(clauses));
  }
  return breaches;

  function checkIndex(text: string): void {
    const [, careful, table = "", rest = ""] =
      /^create (?:unique )?index (if not exists )?\w+ on (\w+)(.*)$/.exec(text) ?? [];
    if (table === "" || !grows(table)) return;
    if (careful === undefined) add("index", text);
    const isOfNew = newColumns.some(
      (one) => one.table === table && new RegExp(`\\b${one.column}\\b`).test(rest),
    );
    if (isOfNew) add("index-too-early", text);
  }

  function checkClause(table: string, clause: string, all: readonly string[]): void {
    const at = `${table}: ${clause}`;
    const name = /^(?:add|drop|validate) constraint (?:if exists )?(\w+)/.exec(clause)?.[1] ?? "";
    if (/^(rename|set schema)\b/.test(clause) || /^drop column\b/.test(clause)) add("drop", at);
    if (/^drop constraint\b/.test(clause) && !all.some((one) => one.startsWith(`add constraint ${name} `)))
      add("drop", at);
    if (/^alter (column )?\w+ drop default\b/.test(clause)) add("drop", at);
    if (/^alter (column )?\w+ set not null\b/.test(clause)) add("not-null", at);
    if (/^alter (column )?\w+ (set data )?type\b/.test(clause)) add("type", at);
    if (/^validate constraint\b/.test(clause) && addedUnchecked.has(name)) add("validate", at);
    const column = /^add column (?:if not exists )?(\w+) /.exec(clause)?.[1];
    if (column !== undefined) checkColumn(table, column, clause, at);
    else if (/^add\b/.test(clause)) checkConstraint(table, name, clause, at);
  }

  function checkColumn(table: string, column: string, clause: string, at: string): void {
    newColumns.push({ table, column });
    const isFilled = /\b(default|generated)\b/.test(clause);
    if (/\bnot null\b/.test(clause) && !isFilled && !made.has(table)) add("not-null", at);
    if (!grows(table)) return;
    if (changingDefault.test(clause) || /\bgenerated\b/.test(clause) || /\b(big|small)?serial\b/.test(clause))
      add("rewrite", at);
    // PostgreSQL accepts a key of a column without values unchecked, but reads every row for any check.
    if (/\bcheck\s*\(/.test(clause) || (/\breferences\b/.test(clause) && isFilled)) add("scan", at);
    if (/\b(unique|primary key)\b/.test(clause)) add("unique", at);
  }

  function checkConstraint(table: string, name: string, clause: string, at: string): void {
    if (!grows(table)) return;
    const isUnchecked = /\bnot valid$/.test(clause);
    if (isUnchecked) addedUnchecked.add(name);
    if (/\b(unique|primary key|exclude)\b/.test(clause) && !/\busing index\b/.test(clause)) add("unique", at);
    else if (/\b(check|foreign key)\b/.test(clause) && !isUnchecked) add("scan", at);
  }
}

/** The statement as one line in lower case, without comments and quotes. */
function plain(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll('"', "")
    .trim()
    .replace(/;$/, "")
    .toLowerCase();
}

/** The clauses of a statement, split at commas outside of brackets. */
function partsOf(clauses: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const letter of clauses) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += letter;
  }
  return [...parts, part.trim()];
}
