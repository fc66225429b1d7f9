/** Fields of a posted form that reach its parser: those of its schema, however the schema is composed. */
import { expect, test } from "vitest";
import { z } from "zod";
import * as accountSchemas from "#app/forms/account-schema.ts";
import * as schemas from "#app/forms/schemas.ts";
import { fieldNamesOf, takeFields } from "#app/http/form-fields.ts";
import { unstorableTextMessage } from "#app/http/storable-text.ts";
import { cpuGrowth } from "#tests/support/growth.ts";

const object = z.object({ email: z.string(), next: z.string().optional() });

test.each([
  ["an object", object, ["email", "next"]],
  ["a refined object", object.refine(() => true), ["email", "next"]],
  ["a transformed object", object.transform(({ email }) => email), ["email", "next"]],
  ["a piped object", object.pipe(z.object({ email: z.string() })), ["email", "next"]],
  ["a preprocessed object", z.preprocess((value) => value, object), ["email", "next"]],
  ["a union", z.union([object, z.object({ code: z.string() })]), ["email", "next", "code"]],
  [
    "a discriminated union",
    z.discriminatedUnion("intent", [
      z.object({ intent: z.literal("a"), one: z.string() }),
      z.object({ intent: z.literal("b"), two: z.string() }).superRefine(() => undefined),
    ]),
    ["intent", "one", "two"],
  ],
  ["an intersection", z.intersection(object, z.object({ code: z.string() })), ["email", "next", "code"]],
  ["an optional object", object.optional(), ["email", "next"]],
  ["a button", z.object({}), []],
])("lists the names of %s", (_what, schema, names) => {
  expect([...fieldNamesOf(schema)]).toEqual(names);
});

test("throws for a schema that is not a form's", () => {
  for (const schema of [z.string(), z.array(object), z.unknown()]) {
    expect(() => fieldNamesOf(schema)).toThrow(TypeError);
  }
});

const ofTheStore = Object.entries({ ...schemas, ...accountSchemas }).flatMap(
  ([name, schema]): [string, z.ZodType][] =>
    name.endsWith("Schema") && schema instanceof z.ZodType ? [[name, schema]] : [],
);

test.each(ofTheStore)("lists valid names for %s", (_name, schema) => {
  expect([...fieldNamesOf(schema)].filter((name) => !/^\w+$/.test(name))).toEqual([]);
});

const take = (body: string) => {
  const { fields, refusal } = takeFields(new URLSearchParams(body), object);
  return { fields: fields.toString(), message: refusal?.message, at: refusal?.fields };
};

test("drops fields that a browser extension adds, without a refusal", () => {
  expect(take("email=a&_tracker=1&user-agent=x&email2=b&constructor=c&length=1")).toMatchObject({
    fields: "email=a",
    message: undefined,
  });
});

test.each([
  "a[60000000]=1",
  "email[0]=1",
  "email[]=1",
  "email.x=1",
  "a.b.b.b=1",
  "__intent__=null",
  "__state__={}",
  "__proto__=1",
  "__proto__[x]=1",
  "=1",
  "email%00=1",
  "%ED%A0%80=1",
  "email =1",
  `${"n".repeat(101)}=1`,
])("refuses %s and keeps the rest of the form", (pair) => {
  expect(take(`email=a&${pair}&next=b`)).toMatchObject({
    fields: "email=a&next=b",
    message: expect.stringContaining("couldn't read this form"),
  });
});

test("refuses a field sent twice, and keeps its first value", () => {
  expect(take("email=a&email=b")).toMatchObject({
    fields: "email=a",
    message: expect.stringContaining("was sent twice"),
  });
});

test("refuses text that cannot be stored, at its field", () => {
  expect(take("email=a%00b&next=c")).toMatchObject({
    fields: "email=ab&next=c",
    at: { email: unstorableTextMessage },
  });
  const { refusal } = takeFields(new URLSearchParams([["email", "a\ud800"]]), object);
  // URLSearchParams replaces a lone surrogate with U+FFFD.
  expect(refusal).toBeNull();
});

test("takes no longer for 64 KiB of names than for 64 KiB of text", () => {
  for (const pair of ["a[99999999]=1&", "email=&", "a.b.c=&", "x=&", "__intent__=1&"])
    expect(
      cpuGrowth(65_536, (size) => take(pair.repeat(size / pair.length))),
      pair,
    ).toBeLessThan(9);
});
