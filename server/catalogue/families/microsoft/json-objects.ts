/** Reads JSON objects in pieces: one per line, or an array of them, with any whitespace. */
import { BillError } from "../bills.ts";

export interface JsonObject {
  /** Line on which it begins, from 1. */
  line: number;
  /** Its texts and numbers by lower-case name, because Graph and the older interface spell them differently. */
  fields: ReadonlyMap<string, string>;
}

/**
 * @throws BillError for anything between the objects but whitespace, commas and the brackets of an array, and for a truncated
 * file
 */
export async function* jsonObjects(pieces: AsyncIterable<string>): AsyncGenerator<JsonObject> {
  let text = "";
  let line = 1;
  let firstLine = 1;
  let depth = 0;
  let arrays = 0;
  let isInText = false;
  let isEscaped = false;
  for await (const piece of pieces) {
    for (const character of piece) {
      if (depth === 0) {
        if (character === "{") {
          firstLine = line;
          text = character;
          depth = 1;
        } else if (character === "[" && arrays === 0) arrays = 1;
        else if (character === "]" && arrays === 1) arrays = 0;
        else if (!/[\s,]/.test(character))
          throw new BillError(
            `Line ${line} of the bill has text outside an object. Download the bill again.`,
          );
      } else {
        text += character;
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (character === "\\") isEscaped = true;
          else if (character === '"') isInText = false;
        } else if (character === '"') isInText = true;
        else if (character === "{") depth += 1;
        else if (character === "}") depth -= 1;
        if (depth === 0) yield { line: firstLine, fields: fieldsOf(text, firstLine) };
      }
      if (character === "\n") line += 1;
    }
  }
  if (depth > 0 || arrays > 0)
    throw new BillError(`The bill ends in the middle, in line ${line}. Download it again.`);
}

function fieldsOf(text: string, line: number): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(parse(text, line)))
    if (typeof value === "string" || typeof value === "number")
      fields.set(name.toLowerCase(), String(value).trim());
  return fields;
}

function parse(text: string, line: number): object {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null) return read;
  } catch {
    // Reported below, with its line.
  }
  throw new BillError(`Line ${line} of the bill is not JSON.`);
}
