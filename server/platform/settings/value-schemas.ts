/** Schemas for the kinds of values that settings hold, and their parsed forms. */
import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { Currency } from "#db/tables/enums.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import type { EncryptionKey } from "#server/foundation/security/cipher.ts";
import { readNetworks } from "#server/foundation/security/network.ts";

export const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ""));

export const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** A local port, or none. */
export const portOrNone = z
  .string()
  .default("")
  .transform((text) => (text.trim() === "" ? null : Number(text)))
  .refine(
    (port) => port === null || (Number.isInteger(port) && port > 0 && port < 65_536),
    "must be a port, from 1 to 65535",
  );

/** PEM, with line breaks that may be written as \\n. */
export const pem = z.string().transform((text) => text.replaceAll("\\n", "\n"));

export function isPublicKey(text: string): boolean {
  try {
    return createPublicKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** Addresses and networks (CIDR), comma-separated; null for none. */
export const networks = z
  .string()
  .default("")
  .transform((text, context) => {
    if (text.trim() === "") return null;
    const list = readNetworks(text);
    if (list === null)
      context.addIssue("must be addresses or networks such as 203.0.113.0/24, separated by commas");
    return list;
  });

/** A host such as "files.example.com", "files.example.com:8443" or "*.example.com". */
export const hostPattern = z
  .string()
  .regex(
    /^(\*\.([a-z0-9-]+\.)+)?[a-z0-9.-]+(:\d{1,5})?$/i,
    "must be hosts such as files.example.com or *.example.com",
  );

/** Comma-separated, at least one. */
export const commaList = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item).min(1));

export const encryptionKey = z.string().transform((text, context): EncryptionKey => {
  const [, id = null, key = ""] = /^(?:([\w-]+):)?(.*)$/.exec(text) ?? [];
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 32) context.addIssue("must be 32 bytes in base64, before which an `id:` may stand");
  return { id, bytes };
});

/** Space-separated origins, without a path. */
export const origins = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) => text.split(/\s+/).filter((part) => part !== ""))
    .refine(
      (all) => all.every((each) => URL.canParse(each) && new URL(each).origin === each),
      "must be origins such as https://cdn.example.com, separated by spaces",
    );

/** Exchange rates by currency, in ten-thousandths of a rupee for one unit: 845000 = 84.5. */
export type ExchangeRates = ReadonlyMap<Currency, number>;

export const exchangeRates = z
  .string()
  .default("")
  .transform((text, context): ExchangeRates => {
    const rates = new Map<Currency, number>();
    for (const part of text.split(";").filter((each) => each.trim() !== "")) {
      const [, code = "", rate = ""] = /^\s*([A-Z]{3}) (\d{1,5}(?:\.\d{1,4})?)\s*$/.exec(part) ?? [];
      const currency = currencies.find((each) => each === code);
      if (currency === undefined || !(Number(rate) > 0))
        context.addIssue("must be a currency and a rate, separated by semicolons");
      else rates.set(currency, Math.round(Number(rate) * 10_000));
    }
    return rates;
  });

/** Percentages separated by commas, as basis points. */
export const percentages = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) =>
      text
        .split(",")
        .filter((part) => part.trim() !== "")
        .map((part) => Number(part) * 100),
    )
    .refine(
      (rates) => rates.every((rate) => Number.isInteger(rate) && rate > 0 && rate < 10_000),
      "must be percentages separated by commas, such as 2,10",
    );

/** Financial years as the tax office writes them: "2025-26,2026-27". */
export const financialYears = () =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .refine(
      (years) => years.every((year) => isFinancialYear(year)),
      "must be financial years separated by commas, such as 2025-26,2026-27",
    );

/** @param text "2026-27" */
export function isFinancialYear(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text) && Number(text.slice(5)) === (Number(text.slice(0, 4)) + 1) % 100;
}

/** Reads a setting from its singular name, which holds one value, or its plural name, which holds several. */
export function oneOrSeveral<Value>(name: string, value: z.ZodType<Value, string>) {
  return z
    .array(value, `give ${name}, or in its place ${name}S`)
    .transform(([first, ...others], context): readonly [Value, ...Value[]] => {
      if (first !== undefined) return [first, ...others];
      context.addIssue("is empty");
      return z.NEVER;
    });
}
