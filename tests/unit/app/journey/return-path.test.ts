/** safeReturnPath returns a path of this store for any input. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownAddress, safeReturnPath } from "#app/http/return-path.ts";
import * as paths from "#server/foundation/paths.ts";

const store = "https://store.example";
const staysHere = (path: string) => new URL(path, store).origin === store;

describe("safeReturnPath", () => {
  it.each([
    "/",
    "/search?query=mail&page=2",
    "/order/0b0e7d2c-8c1e-4f1e-9a55-0c6f5f0f9e11/microsoft/microsoft-365-business-basic/IN/place-order",
    "/a/../b#part",
    "/login?next=%2F%2Fevil.example",
    `/${"a".repeat(499)}`,
  ])("keeps %s", (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/a\\b",
    "https://evil.example",
    "HTTPS:evil.example",
    "javascript:alert(1)",
    "evil.example",
    " /",
    "/ space",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\u0000",
    "/\u00e9",
    "/\u2028",
    "/\u202e",
    `/${"a".repeat(500)}`,
    "/?jwt-token=x",
    "/?service=google&jwt-token=x",
    "/?JWT-Token=x",
    "/?jwt%2Dtoken=x",
    "/?%6a%77%74%2d%74%6f%6b%65%6e=x",
    "/login?next=%2F%3Fjwt-token%3Dx",
    "/login?next=%2Flogin%3Fnext%3D%252F%253Fjwt%252Dtoken%253Dx",
    "/%3Fjwt-token=x",
    "/#jwt-token=x",
    "/.//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
  ])("refuses %j", (path) => {
    expect(safeReturnPath(path)).toBe("/");
    expect(safeReturnPath(path, "/home")).toBe("/home");
  });

  it("returns a local path that fits a header, for any input", () => {
    const hostile = fc.array(
      fc.constantFrom(
        "/",
        "\\",
        ".",
        ":",
        "@",
        "?",
        "#",
        "%2f",
        "\t",
        "\n",
        "\r",
        " ",
        "evil.example",
        "http",
        "javascript:",
        "\u0000",
        "\u00a0",
      ),
    );
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.webUrl(),
      hostile.map((parts) => parts.join("")),
      hostile.map((parts) => `/${parts.join("")}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const path = safeReturnPath(text);
        expect(staysHere(path)).toBe(true);
        expect(path.startsWith("/")).toBe(true);
        expect(path).toMatch(/^[\x21-\x7e]*$/);
        expect(() => new Headers({ Location: path })).not.toThrow();
        expect(safeReturnPath(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps the store's own addresses", () => {
    const step = { id: "id", family: "google", item: "google-workspace-business-starter", country: "US" };
    for (const path of [
      paths.home({ service: "google", country: "US" }),
      paths.search({ query: "mail & more", page: "2" }),
      `${paths.order(step)}/sign-in`,
      paths.subscriptions(),
      paths.stage("id"),
    ]) {
      expect(safeReturnPath(path)).toBe(path);
    }
  });
});

describe("ownAddress", () => {
  const of = (address: string) => ownAddress(new URL(store + address));

  it.each([
    ["/cart?search=mail", "/cart?search=mail"],
    [`/cart?search=${"a".repeat(500)}`, "/cart"],
    ["/cart?jwt-token=x", "/cart"],
    [`/${"/".repeat(7_000)}`, "/"],
    ["//evil.example/?a=b", "/"],
    ["/\\evil.example", "/"],
    ["/.//evil.example", "/"],
  ])("returns %j as %j", (address, expected) => {
    expect(of(address)).toBe(expected);
  });
});

describe("the addresses that lead to a sign-in", () => {
  const leaves = [
    paths.login,
    paths.loginCode,
    paths.signup,
    paths.secondFactor,
    paths.deskLogin,
    paths.continueAs,
  ];
  const longest = `/${"a".repeat(499)}`;

  it("names the longest address to return to, and leaves out a longer one", () => {
    for (const address of leaves) {
      const to = (next: string) => new URL(address(next), store).searchParams.get("next");
      expect(to(longest)).toBe(longest);
      expect(safeReturnPath(to(longest))).toBe(longest);
      expect(to(`${longest}a`)).toBeNull();
      expect(address(`/${"/".repeat(499)}`).length).toBeLessThan(2_048);
    }
  });
});
