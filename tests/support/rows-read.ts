/** Rows that PostgreSQL reads for a statement, and rows that it returns: shows whether a query's cost grows with its tables. */
import type pg from "pg";
import { z } from "zod";
import type { TappedStatement } from "./statement-tap.ts";

export interface RowsRead {
  given: number;
  read: number;
  /** The same including small tables that were read whole, which `read` counts as one row. */
  touched: number;
  /** Pages of tables and indexes accessed: a full index scan for one row returns few rows but touches many pages. */
  pages: number;
  /** The scan with the most rows: "Seq Scan on orders: 20000". */
  most: string;
}

/** @returns null for a statement without a plan, such as "begin" */
export async function rowsReadBy(pool: pg.Pool, { sql, values }: TappedStatement): Promise<RowsRead | null> {
  if (!/^\s*(\(|select|with|insert|update|delete)\b/i.test(sql)) return null;
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ "QUERY PLAN": unknown }>(
      `explain (analyze, buffers, timing off, format json) ${sql}`,
      [...values],
    );
    const [{ Plan }] = explained.parse(rows[0]?.["QUERY PLAN"]);
    return rowsReadIn(Plan);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** @param plan with actual row counts */
function rowsReadIn(plan: Node): RowsRead {
  const scans = nodesOf(plan).flatMap((each) => {
    const table = each["Relation Name"] ?? each["Function Name"];
    return table === undefined || !each["Node Type"].endsWith("Scan")
      ? []
      : [{ what: `${each["Node Type"]} on ${table}`, read: readBy(each), touched: touchedBy(each) }];
  });
  const [most] = scans.toSorted((a, b) => b.read - a.read);
  return {
    given: givenBy(plan),
    pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    read: scans.reduce((sum, { read }) => sum + read, 0),
    touched: scans.reduce((sum, { touched }) => sum + touched, 0),
    most: most === undefined ? "nothing" : `${most.what}: ${most.read}`,
  };
}

/** Rows returned by a plan; changed rows count as returned. */
function givenBy(plan: Node): number {
  const changed = plan["Node Type"] === "ModifyTable" ? plan.Plans?.[0] : undefined;
  return Math.max(
    ...[plan, ...(changed === undefined ? [] : [changed])].map(
      (each) => each["Actual Rows"] * each["Actual Loops"],
    ),
  );
}

/** Parses a plan from auto_explain, with its statement. @throws Error for another text */
export function parseAutoExplain(text: string): RowsRead & { sql: string } {
  const { "Query Text": statement, Plan } = explainSchema.parse(JSON.parse(text));
  return { sql: statement, ...rowsReadIn(Plan) };
}

const node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Function Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Shared Hit Blocks": z.number(),
  "Shared Read Blocks": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  "Rows Removed by Index Recheck": z.number().default(0),
  get Plans() {
    return z.array(node).optional();
  },
});
type Node = z.infer<typeof node>;
const explained = z.tuple([z.object({ Plan: node })]);
const explainSchema = z.object({ "Query Text": z.string(), Plan: node });

/**
 * PostgreSQL prefers to scan a table of this size instead of its index; a single scan does not count as reading a growing table.
 */
const smallTable = 2_000;

function readBy(scan: Node): number {
  const isSmall = scan["Actual Loops"] === 1 && touchedBy(scan) <= smallTable;
  return scan["Node Type"] === "Seq Scan" && isSmall ? 1 : touchedBy(scan);
}

/** Rows that a scan touched. A loop without rows counts as one, because row counts are rounded means over all loops. */
function touchedBy(scan: Node): number {
  const each = scan["Actual Rows"] + scan["Rows Removed by Filter"] + scan["Rows Removed by Index Recheck"];
  return Math.max(1, each) * scan["Actual Loops"];
}

function nodesOf(plan: Node): Node[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
