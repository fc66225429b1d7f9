/** Domain of a Google order as people type it; the page and the call parse it with the same schema. */
import { expect, test } from "vitest";
import { domainDetailsSchema } from "#app/forms/schemas.ts";
import { english } from "#server/foundation/languages/text.ts";

const { domain } = domainDetailsSchema.shape;

test.each([
  ["YourCompany.com ", "yourcompany.com"],
  ["https://www.yourcompany.co.in/", "yourcompany.co.in"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["https://www.BÜCHER.example/", "xn--bcher-kva.example"],
  ["दुकान.भारत", "xn--11b7ah1gn.xn--h2brj9c"],
  ["shop.xn--p1ai", "shop.xn--p1ai"],
])("parses %s as %s", (typed, kept) => {
  expect(domain.safeParse(typed)).toEqual({ success: true, data: expect.stringMatching(kept) });
});

test.each([
  "no domain",
  "bücher",
  "bü cher.example",
  "bücher.example:8080@evil.com",
  "shop.xn--",
  "shop.123",
  "-shop.com",
])("refuses %s and shows an example", (typed) => {
  const { error } = domain.safeParse(typed);
  expect(error?.issues.map(({ message }) => english(message))).toEqual([
    "Please enter a valid domain (e.g., yourcompany.com)",
  ]);
});
