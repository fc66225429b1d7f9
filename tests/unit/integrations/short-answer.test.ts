/** Summaries of a provider's responses in an order's history: what happened, without secrets and personal data. */
import { describe, expect, test } from "vitest";
import { redactPath, summariseResponse } from "#server/integrations/response-summary.ts";

const answerTo = (status: number, body: unknown, sent: unknown = null, secrets: string[] = []) =>
  summariseResponse({ status, text: typeof body === "string" ? body : JSON.stringify(body), secrets, sent });

describe("the summary of a success", () => {
  test("contains ids and states, and no personal data", () => {
    const said = answerTo(201, {
      id: "8f2c7a7e-1c5e-4a7b-9b1e-0c9d5e3f2a11",
      status: "active",
      quantity: 5,
      name: "Asha Rao",
      companyProfile: { companyName: "Acme Tools", email: "asha@example.com" },
      userCredentials: { userName: "admin", password: "Secret-1" },
      access_token: "eyJhbGciOi",
    });
    expect(said).toBe("id: 8f2c7a7e-1c5e-4a7b-9b1e-0c9d5e3f2a11, status: active, quantity: 5");
  });

  test("contains a name that is the path of a resource", () => {
    expect(answerTo(200, { name: "operations/abc-1", done: false, domain: "acme.com" })).toBe(
      "name: operations/abc-1, done: false",
    );
  });

  test("contains only the length of a list", () => {
    expect(answerTo(200, { totalCount: 2, items: [{ id: "1" }, { id: "2" }] })).toBe(
      "totalCount: 2, 2 items",
    );
    expect(answerTo(200, [1, 2, 3])).toBe("3 items");
  });

  test.each([
    ["", null],
    ["<html>", "not JSON"],
    ["7", null],
    [" ".repeat(3), null],
    [`"${"x".repeat(70_000)}"`, "70002 characters"],
  ])("summarises %.10s as %s", (body, expected) => {
    expect(answerTo(200, body)).toBe(expected);
  });
});

describe("the summary of an error", () => {
  test("contains its code and description, without values of the request", () => {
    const said = answerTo(
      400,
      {
        code: 600002,
        description:
          "Acme Tools, 12 MG Road: registration AABCB1234C of asha@example.com, phone 98765 43210, GSTIN 29AABCB1234C1ZA is refused by SECRETKEY",
      },
      { companyName: "Acme Tools", address: { addressLine1: "12 MG Road" } },
      ["SECRETKEY"],
    );
    expect(said).toMatch(/^code: 600002, \*\*\*, \*\*\*: registration \*\*\* of \*\*\*, phone \*\*\*/);
    for (const part of ["Acme", "MG Road", "AABCB", "asha@", "98765", "43210", "SECRETKEY"])
      expect(said).not.toContain(part);
  });

  test("contains Google's nested error", () => {
    expect(
      answerTo(409, { error: { code: 409, status: "ALREADY_EXISTS", message: "It is there", details: [] } }),
    ).toBe("status: ALREADY_EXISTS, code: 409, It is there");
  });

  test("stays short", () => {
    expect(answerTo(500, { code: "1", message: "long ".repeat(200) })?.length).toBeLessThan(400);
  });
});

test("keeps ids in a path, and redacts personal data", () => {
  expect(redactPath("/v1/customers/8f2c7a7e-1c5e-4a7b-9b1e-0c9d5e3f2a11/carts/12345678901")).toBe(
    "/v1/customers/8f2c7a7e-1c5e-4a7b-9b1e-0c9d5e3f2a11/carts/12345678901",
  );
  expect(redactPath("/admin/directory/v1/users/asha%40acme.com")).toBe("/admin/directory/v1/users/***");
  expect(redactPath("/taxpayer/29AABCB1234C1ZA/x%ZZ")).toBe("/taxpayer/***/x%ZZ");
});
