/** Which names of a posted form reach its parser: those of its schema, whatever the schema is made of. */
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
  ["an object with a rule", object.refine(() => true), ["email", "next"]],
  ["an object that is transformed", object.transform(({ email }) => email), ["email", "next"]],
  ["what is piped on", object.pipe(z.object({ email: z.string() })), ["email", "next"]],
  ["what is prepared first", z.preprocess((value) => value, object), ["email", "next"]],
  ["one of several", z.union([object, z.object({ code: z.string() })]), ["email", "next", "code"]],
  [
    "one of several by its intent",
    z.discriminatedUnion("intent", [
      z.object({ intent: z.literal("a"), one: z.string() }),
      z.object({ intent: z.literal("b"), two: z.string() }).superRefine(() => undefined),
    ]),
    ["intent", "one", "two"],
  ],
  ["two together", z.intersection(object, z.object({ code: z.string() })), ["email", "next", "code"]],
  ["one that may be left out", object.optional(), ["email", "next"]],
  ["a button", z.object({}), []],
])("the names of %s", (_what, schema, names) => {
  expect([...fieldNamesOf(schema)]).toEqual(names);
});

test("what is no form's schema is said to be none", () => {
  for (const schema of [z.string(), z.array(object), z.unknown()]) {
    expect(() => fieldNamesOf(schema)).toThrow(TypeError);
  }
});

const ofTheStore = Object.entries({ ...schemas, ...accountSchemas }).flatMap(
  ([name, schema]): [string, z.ZodType][] =>
    name.endsWith("Schema") && schema instanceof z.ZodType ? [[name, schema]] : [],
);

test.each(ofTheStore)("%s is one whose names are known", (_name, schema) => {
  expect([...fieldNamesOf(schema)].filter((name) => !/^\w+$/.test(name))).toEqual([]);
});

const take = (body: string) => {
  const { fields, refusal } = takeFields(new URLSearchParams(body), object);
  return { fields: fields.toString(), message: refusal?.message, at: refusal?.fields };
};

test("what a browser's extension adds is left out, and refuses nothing", () => {
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
])("%s is refused, and the rest of the form kept", (pair) => {
  expect(take(`email=a&${pair}&next=b`)).toMatchObject({
    fields: "email=a&next=b",
    message: expect.stringContaining("couldn't read this form"),
  });
});

test("a field sent twice is refused, its first answer kept", () => {
  expect(take("email=a&email=b")).toMatchObject({
    fields: "email=a",
    message: expect.stringContaining("was sent twice"),
  });
});

test("text that cannot be kept is refused at its field", () => {
  expect(take("email=a%00b&next=c")).toMatchObject({
    fields: "email=ab&next=c",
    at: { email: unstorableTextMessage },
  });
  const { refusal } = takeFields(new URLSearchParams([["email", "a\ud800"]]), object);
  // URLSearchParams holds whole characters only: a half becomes U+FFFD.
  expect(refusal).toBeNull();
});

test("64 KiB of names take no longer than 64 KiB of text", () => {
  for (const pair of ["a[99999999]=1&", "email=&", "a.b.c=&", "x=&", "__intent__=1&"])
    expect(
      cpuGrowth(65_536, (size) => take(pair.repeat(size / pair.length))),
      pair,
    ).toBeLessThan(9);
});
