/**
 * Statements with which pages read all the time are written once a process. Kysely takes as long to build one and write it out as PostgreSQL's driver takes
 * to ask it (docs/performance-budgets.md).
 */
import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type RawBuilder,
  sql,
  ValueNode,
} from "kysely";
import { batcherOf } from "./statement-batcher.ts";
import type { Db } from "./tables/index.ts";

/** Stands in a statement for a value that is known when it is asked. */
class Place<T> implements Expression<T> {
  get expressionType(): T | undefined {
    return undefined;
  }
  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

type Values<Places> = { readonly [Name in keyof Places]: Places[Name] extends Place<infer T> ? T : never };

export function placeholder<T>(): Place<T> {
  return new Place<T>();
}

/** For `= any`: a list of values after `in` would be another statement for each length. */
export function anyOfPlaceholder<T>(values: Place<readonly T[]>): RawBuilder<T> {
  return sql<T>`any(${values})`;
}

/**
 * @param write is called once: nothing in what it writes may depend on anything but its arguments
 * @returns asks for the rows, with a value for each place
 */
export function statement<Places extends Record<string, Place<unknown>>, Row>(
  places: Places,
  write: (db: Db, places: Places) => Compilable<Row>,
): (db: Db, values: Values<Places>) => Promise<Row[]> {
  const names = new Map<unknown, keyof Places>(Object.entries(places).map(([name, place]) => [place, name]));
  let written: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    written ??= write(db, places).compile();
    const parameters = written.parameters.map((parameter) => {
      const name = names.get(parameter);
      return name === undefined ? parameter : values[name];
    });
    const together = batcherOf(db)?.ask<Row>(written.sql, parameters) ?? null;
    if (together !== null) return together;
    const { rows } = await db.executeQuery<Row>({ ...written, parameters });
    return rows;
  };
}
