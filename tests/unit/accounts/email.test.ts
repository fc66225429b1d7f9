/** One grammar of email addresses for every form and call. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { accountShape } from "#app/forms/account-schema.ts";
import { forgotPasswordSchema, identityProofSchema, loginSchema } from "#app/forms/account-schemas.ts";
import { membersSchema } from "#app/forms/company-schemas.ts";
import { emailPattern } from "#app/forms/email.ts";
import { signUpSchema } from "#app/forms/sign-up-schema.ts";
import { cpuGrowth } from "#tests/support/growth.ts";

const label = "a".repeat(63);
const good = [
  "a@b.co",
  "priya.rao@sahyadri.example",
  "priya+orders@sahyadri.example",
  "o'brien_1-x@mail.eu.acme.co.in",
  "A.B@ACME.COM",
  "info@acme.photography",
  "info@xn--bcher-kva.example",
  "info@xn--80ak6aa92e.xn--p1ai",
  `${"a".repeat(64)}@b.co`,
  `a@${label}.${label}.${label}.${"b".repeat(56)}.com`,
];
const bad = [
  "",
  "a",
  "a@b",
  "@b.co",
  "a@",
  "a@@b.co",
  "a@b@c.co",
  "<a@b.co>",
  "n0<x@y.co>",
  "Priya <a@b.co>",
  '"a b"@b.co',
  '"a"@b.co',
  "a(comment)@b.co",
  "a,b@c.co",
  "a;b@c.co",
  "a:b@c.co",
  "a\\b@c.co",
  "a..b@c.co",
  ".a@b.co",
  "a.@b.co",
  "a@.b.co",
  "a@b..co",
  "a@b.co.",
  "a@-b.co",
  "a@b-.co",
  "a@b_c.co",
  "a@b.c",
  "a@b.1a",
  "a@[127.0.0.1]",
  "a@127.0.0.1",
  "victim%corp.com@relay.example",
  "relay!victim@corp.com",
  "a b@c.co",
  "a\tb@c.co",
  "a@b.co\r\nBcc: c@d.co",
  "a\u0000@b.co",
  "é@b.co",
  "a@bücher.example",
  "a@b\u3002co",
  "a\u200b@b.co",
  `${"a".repeat(65)}@b.co`,
  `a@${"b".repeat(64)}.co`,
  `a@${label}.${label}.${label}.${label}.com`,
];

test.each(good)("accepts %s", (email) => {
  expect(emailPattern.test(email)).toBe(true);
});

test.each(bad)("refuses %j", (email) => {
  expect(emailPattern.test(email)).toBe(false);
});

test.each([
  (size: number) => "a".repeat(size),
  (size: number) => `${"a.".repeat(size / 2)}@b`,
  (size: number) => `a@${"a-".repeat(size / 2)}`,
  (size: number) => `a@${"a.".repeat(size / 2)}`,
])("takes linear time for any input", (text) => {
  expect(emailPattern.test(text(100_000))).toBe(false);
  expect(cpuGrowth(100_000, (size) => emailPattern.test(text(size)))).toBeLessThan(9);
});

const forms: [string, z.ZodType][] = [
  ["log in", loginSchema.shape.email],
  ["sign up", signUpSchema.shape.email],
  ["forgot password", forgotPasswordSchema.shape.email],
  ["Create Account", accountShape.email],
  [
    "an invitation",
    z.string().transform((email) => membersSchema.parse({ intent: "invite", email, role: "viewer" })),
  ],
  [
    "a code for another sign-in",
    z.string().transform((email) => identityProofSchema.parse({ intent: "mail-code", email })),
  ],
];

describe.each(forms)("the form to %s", (_name, schema) => {
  const takes = (email: string) => {
    try {
      return schema.safeParse(email).success;
    } catch {
      return false;
    }
  };
  test("accepts every good address and no bad one", () => {
    expect(good.filter((email) => !takes(email))).toEqual([]);
    // The form trims spaces.
    expect(bad.filter((email) => email !== "a@b.co" && takes(email))).toEqual([]);
  });
});
