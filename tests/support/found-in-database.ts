/** Searches a whole database, including the queue, for data of a person: every text, JSON and bytes column of every table. */
import type pg from "pg";

/** @returns "table.column" of each column that contains any of the values, ignoring case */
export async function foundInDatabase(pool: pg.Pool, values: readonly string[]): Promise<string[]> {
  const columns = await pool.query<{ table: string; schema: string; column: string; type: string }>(`
    select c.table_schema as schema, c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
      and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'character varying', 'ARRAY', 'tsvector')`);
  const found: string[] = [];
  for (const { schema, table, column, type } of columns.rows) {
    const text = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const { rowCount } = await pool.query(
      `select 1 from "${schema}"."${table}" where exists (
        select from unnest($1::text[]) value where position(lower(value) in lower(${text})) > 0) limit 1`,
      [[...values]],
    );
    if (rowCount !== 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}
