/**
 * A provider's answer in short, for staff who look at an order: what names the thing and its state, and what an error says. Only named
 * fields are taken, so that no token and nothing about a person gets in by being new; text is taken of errors alone, without what was
 * sent.
 */
import { z } from "zod";
import { redactDescription } from "./response.ts";

/** Fields that name a thing or its state, at every provider. */
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
/** Of an error, in the provider's words. */
const words = ["description", "message", "error_description", "ErrorMessage"] as const;

const value = z.union([z.string(), z.number(), z.boolean()]);
const fields = z.record(z.string(), z.unknown());
/** A name may be a person's or a company's, unless it is the path of a resource. */
const resource = /^[a-z]+\/[\w./-]+$/i;
const code = /^[\w.:/-]+$/;

const maxBodyLength = 64 * 1024;
const longest = 360;

/**
 * @param answer.text the body as it came
 * @param answer.sent what the request carried: none of its values is repeated
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

/** Text without what was sent, and without what looks like a person's: an address of a mail, a long number, a tax number. */
export function redactPersonalData(
  text: string,
  { secrets = [], sent }: { secrets?: readonly string[]; sent?: unknown } = {},
): string {
  const values = valuesIn(sent).filter((each) => each.length >= 3 && !guid.test(each));
  // The longest first, or a part of one would be left of it.
  const clean = values
    .toSorted((a, b) => b.length - a.length)
    // A short one is hidden as a word of its own, and not within another.
    .reduce((so, each) => so.replaceAll(each.length > 3 ? each : wordOf(each), "***"), text);
  return hideNames(redactDescription(clean, secrets) ?? "").replace(
    /(?<![\w-])\+?\d[\d ()-]{7,}\d(?![\w-])/g,
    "***",
  );
}

function wordOf(text: string): RegExp {
  return new RegExp(`(?<!\\w)${text.replace(/[^\w\s]/g, "\\$&")}(?!\\w)`, "g");
}

/** Hides addresses of mails, GSTINs and PANs. */
function hideNames(text: string): string {
  return text
    .replace(/[^\s@/"'<>(),;:=]+@[^\s@/"'<>(),;:=]+/g, "***")
    .replace(/\b\d{2}[A-Z]{5}\d{4}[A-Z]\w{3}\b/gi, "***")
    .replace(/\b[A-Z]{5}\d{4}[A-Z]\b/gi, "***");
}

/** A path without what looks like a person's. */
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
