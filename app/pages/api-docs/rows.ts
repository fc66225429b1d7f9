/** A JSON Schema as readable rows: one per field, with its path, kind and note. */
import type { Schema } from "../../api/shared/openapi-document.ts";

export interface Row {
  name: string;
  kind: string;
  required: boolean;
  note: string;
}

/** The fields of a schema. Nested fields are named by path (`user.id`), and a list's fields by its entry (`items[].name`). */
export function fieldRows(schema: Schema, above = "", required = true): Row[] {
  const inner = innerOf(schema);
  const own: Row[] =
    above === "" && inner.length > 0
      ? []
      : [
          {
            name: above === "" ? "(all of it)" : above,
            kind: kindOf(schema),
            required,
            note: schema.description ?? "",
          },
        ];
  return [
    ...own,
    ...inner.flatMap(([name, part, isNeeded]) => fieldRows(part, joined(above, name), isNeeded)),
  ];
}

/** Null as an alternative is left out, because an optional field says the same. */
function alternatives(schema: Schema): readonly Schema[] {
  return (schema.anyOf ?? [schema]).filter(({ type }) => type !== "null");
}

function innerOf(schema: Schema): [name: string, part: Schema, isNeeded: boolean][] {
  return alternatives(schema).flatMap((each): [string, Schema, boolean][] => {
    if (each.items !== undefined && innerOf(each.items).length > 0) {
      return innerOf(each.items).map(([name, part, isNeeded]) => [joined("[]", name), part, isNeeded]);
    }
    return Object.entries(each.properties ?? {}).map(([name, part]) => [
      name,
      part,
      each.required?.includes(name) ?? false,
    ]);
  });
}

function kindOf(schema: Schema): string {
  const kinds = alternatives(schema).map((each) => {
    if (each.anyOf !== undefined) return kindOf(each);
    if (each.const !== undefined) return JSON.stringify(each.const);
    if (each.enum !== undefined) return each.enum.map((value) => JSON.stringify(value)).join(" or ");
    if (each.items !== undefined) return `list of ${kindOf(each.items)}`;
    const [type = "anything"] = [each.type ?? "anything"].flat();
    return names[type] ?? type;
  });
  return [...new Set(kinds)].join(" or ");
}

const names: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "whole number",
  object: "object",
};

function joined(above: string, name: string): string {
  return above === "" || name.startsWith("[]") ? `${above}${name}` : `${above}.${name}`;
}
