/** Finds a field of a form whose fields are defined as data. */
import type { FieldMetadata } from "@conform-to/react";

/** @throws RangeError for a form without this field */
export function fieldNamed(
  fields: Readonly<Record<string, FieldMetadata<string> | undefined>>,
  name: string,
): FieldMetadata<string> {
  const field = fields[name];
  if (field === undefined) throw new RangeError(`The form has no field ${name}`);
  return field;
}
