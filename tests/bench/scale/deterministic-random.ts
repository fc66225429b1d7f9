/** Deterministic pseudorandom values in SQL: always the same for a row, so that two runs fill the same store. */
import { type RawBuilder, sql } from "kysely";

/**
 * A number from 0 up to, but excluding, 1.
 * @param of SQL expression with an integer value
 * @param about purpose of the draw, so that draws are independent
 */
export function draw(of: string, about: number): RawBuilder<number> {
  return sql.raw(`((hashint8extended(${of}, ${about}) & 1048575)::float8 / 1048576)`);
}

/** One of these texts, uniformly. @returns an SQL expression */
export function oneOf(of: string, about: number, texts: readonly string[]): RawBuilder<string> {
  return sql`(array[${sql.join(texts.map((text) => sql.lit(text)))}]::text[])[1 + floor(${draw(of, about)} * ${sql.lit(texts.length)})::int]`;
}

/** The id of the nth row of a kind, in the format of a random one. @param n SQL expression */
export function idOf(kind: string, n: string): RawBuilder<string> {
  return sql.raw(`overlay(overlay(md5('${kind} ' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`);
}
