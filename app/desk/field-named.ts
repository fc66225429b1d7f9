/** A field of a form whose fields are data. */
import type { FieldMetadata } from "@conform-to/react";

/** @throws RangeError for a form without it */
export function fieldNamed(
  fields: Readonly<Record<string, FieldMetadata<string> | undefined>>,
  name: string,
): FieldMetadata<string> {
  const field = fields[name];
  if (field === undefined) throw new RangeError(`The form has no field ${name}`);
  return field;
}
