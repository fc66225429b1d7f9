/**
 * Summarises a provider's response for staff who view an order: ids, states and errors. Only listed fields are included, so that
 * new fields cannot leak a token or personal data; texts come only from errors, without the sent values.
 */
import { z } from "zod";
import { redactDescription } from "./response.ts";

/** Fields that contain an id or a state, at every provider. */
const summarisedFields = [
  "id",
  "name",
  "status",
  "state",
  "done",
  "code",
  "statusCode",
  "error_code",
  "errorCode",
  "cartId",
  "orderId",
  "quantity",
  "totalCount",
] as const;
/** Fields of an error in the provider's words. */
const words = ["description", "message", "error_description", "ErrorMessage"] as const;

const value = z.union([z.string(), z.number(), z.boolean()]);
const fields = z.record(z.string(), z.unknown());
/** A name may be a person's or a company's, unless it is the path of a resource. */
const resource = /^[a-z]+\/[\w./-]+$/i;
const code = /^[\w.:/-]+$/;

const maxBodyLength = 64 * 1024;
const longest = 360;

/**
 * @param answer.text the body as received
 * @param answer.sent values of the request, none of which is repeated
 */
export function summariseResponse({
  status,
  text,
  secrets,
  sent,
}: {
  status: number;
  text: string;
  secrets: readonly string[];
  sent: unknown;
}): string | null {
  if (text.trim() === "") return null;
  if (text.length > maxBodyLength) return `${text.length} characters`;
  const body = jsonOf(text);
  if (body === undefined) return "not JSON";
  const parsed = fields.safeParse(body);
  if (!parsed.success) return Array.isArray(body) ? `${body.length} items` : null;
  const nested = fields.safeParse(parsed.data.error);
  const found = nested.success ? { ...parsed.data, ...nested.data } : parsed.data;
  const facts = summarisedFields.flatMap((name) => {
    const fact = value.safeParse(found[name]);
    if (!fact.success || !(name === "name" ? resource : code).test(String(fact.data))) return [];
    return [`${name}: ${String(fact.data).slice(0, 120)}`];
  });
  const items = ["items", "customers", "entitlements"].flatMap((name) =>
    Array.isArray(found[name]) ? [`${found[name].length} ${name}`] : [],
  );
  const said =
    status < 400
      ? []
      : words.flatMap((name) => {
          const fact = z.string().safeParse(found[name]);
          return fact.success ? [redactPersonalData(fact.data, { secrets, sent })] : [];
        });
  const all = [...facts, ...items, ...said].join(", ");
  return all === "" ? null : all.length > longest ? `${all.slice(0, longest)}...` : all;
}

const guid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Removes the sent values, and text that looks personal: an email address, a long number, a tax number. */
export function redactPersonalData(
  text: string,
  { secrets = [], sent }: { secrets?: readonly string[]; sent?: unknown } = {},
): string {
  const values = valuesIn(sent).filter((each) => each.length >= 3 && !guid.test(each));
  // Longest first, so that redacting a short value does not leave the rest of a longer one.
  const clean = values
    .toSorted((a, b) => b.length - a.length)
    // A short value is redacted only as a separate word, and not within another.
    .reduce((so, each) => so.replaceAll(each.length > 3 ? each : wordOf(each), "***"), text);
  return hideNames(redactDescription(clean, secrets) ?? "").replace(
    /(?<![\w-])\+?\d[\d ()-]{7,}\d(?![\w-])/g,
    "***",
  );
}

function wordOf(text: string): RegExp {
  return new RegExp(`(?<!\\w)${text.replace(/[^\w\s]/g, "\\$&")}(?!\\w)`, "g");
}

/** Redacts email addresses, GSTINs and PANs. */
function hideNames(text: string): string {
  return text
    .replace(/[^\s@/"'<>(),;:=]+@[^\s@/"'<>(),;:=]+/g, "***")
    .replace(/\b\d{2}[A-Z]{5}\d{4}[A-Z]\w{3}\b/gi, "***")
    .replace(/\b[A-Z]{5}\d{4}[A-Z]\b/gi, "***");
}

/** Returns a path without text that looks personal. */
export function redactPath(path: string): string {
  return path
    .split("/")
    .map((segment) => {
      const plain = decoded(segment);
      return hideNames(plain) === plain ? segment : "***";
    })
    .join("/");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function valuesIn(sent: unknown): string[] {
  if (typeof sent === "string") return [sent];
  if (Array.isArray(sent)) return sent.flatMap(valuesIn);
  if (typeof sent === "object" && sent !== null) return Object.values(sent).flatMap(valuesIn);
  return [];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
