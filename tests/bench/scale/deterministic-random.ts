/** Chance without chance: the same number for the same row every time, in SQL, so that two runs fill the same store. */
import { type RawBuilder, sql } from "kysely";

/** From 0 up to, not including, 1. @param of an expression of SQL that is a whole number @param about what is drawn, so that draws do not agree */
export function draw(of: string, about: number): RawBuilder<number> {
  return sql.raw(`((hashint8extended(${of}, ${about}) & 1048575)::float8 / 1048576)`);
}

/** One of these, each as often. @returns an expression of SQL */
export function oneOf(of: string, about: number, texts: readonly string[]): RawBuilder<string> {
  return sql`(array[${sql.join(texts.map((text) => sql.lit(text)))}]::text[])[1 + floor(${draw(of, about)} * ${sql.lit(texts.length)})::int]`;
}

/** The id of the nth of a kind, in the form of a random one. @param n an expression of SQL */
export function idOf(kind: string, n: string): RawBuilder<string> {
  return sql.raw(`overlay(overlay(md5('${kind} ' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`);
}
