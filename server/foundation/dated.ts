/** Values that a law or a provider changes on a day, each with its publication. To prepare a change, add the next one. */

export interface Dated<Value> {
  /** First day, by the country's clock: "2017-07-01". */
  from: string;
  value: Value;
  /** Publication that sets the value. */
  source: string;
}

/** One value or more, oldest first. */
export type DatedValues<Value> = readonly [Dated<Value>, ...Dated<Value>[]];

/** Returns the value of a day, "2026-12-01"; the oldest for a day before it. */
export function valueOn<Value>(values: DatedValues<Value>, day: string): Value {
  return (values.findLast(({ from }) => from <= day) ?? values[0]).value;
}
