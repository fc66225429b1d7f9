/** The language of a page: the visitor's choice, else the browser's preference. API calls respond in English. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { languages } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

const stepOne = "/order/microsoft/microsoft-365-business-basic/IN";
const inHindi = { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5" };
let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ template: inject("databaseTemplate"), env: trustHttpBrowser, worker: false });
});
afterAll(async () => {
  await stack?.stop();
});

const visitor = () => new HttpBrowser(stack.url);
const skipIn = (id: "en" | "hi") => languages[id].messages.shell.skip;

test.each([
  ["the browser asks for nothing", {}, "en"],
  ["the browser asks for Hindi", inHindi, "hi"],
  ["the browser asks for an unsupported language", { "Accept-Language": "ta" }, "en"],
] as const)("uses the right language when %s", async (_when, headers, language) => {
  const page = await visitor().get("/", headers);
  expect(page.text).toContain(`<html lang="${language}">`);
  expect(page.text).toContain(skipIn(language));
  expect(page.headers.get("content-language")).toBe(language);
});

test("prefers the visitor's choice to the browser's and returns to the page", async () => {
  const buyer = visitor();
  const chosen = await buyer.post(paths.language(), { language: "en", next: stepOne });
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, stepOne]);
  expect((await buyer.get("/", inHindi)).text).toContain(skipIn("en"));
});

test("ignores an unsupported language and refuses to redirect elsewhere", async () => {
  const buyer = visitor();
  const unknown = await buyer.post(paths.language(), { language: "xx", next: "/" });
  expect([unknown.status, unknown.headers.getSetCookie()]).toEqual([404, []]);
  const away = await buyer.post(paths.language(), { language: "hi", next: "//elsewhere.example" });
  expect(away.headers.get("location")).toBe("/");
});

test("serves a hydrated page's messages as an immutable file of its language", async () => {
  const { text } = await visitor().get(stepOne, inHindi);
  const [, address = ""] = /<link id="messages"[^>]* href="([^"]+)"/.exec(text) ?? [];
  const file = await visitor().get(address);
  expect(JSON.parse(file.text)).toMatchObject({ "shell.skip": skipIn("hi") });
  expect(file.headers.get("cache-control")).toContain("immutable");

  const before = await visitor().get(paths.messages({ language: "hi", version: "earlier" }));
  expect([before.text, before.headers.get("cache-control")]).toEqual([file.text, "no-store"]);
  expect((await visitor().get(paths.messages({ language: "xx", version: "1" }))).status).toBe(404);
});

test("adds no messages to a page that is not hydrated", async () => {
  expect((await visitor().get("/", inHindi)).text).not.toContain('id="messages"');
});

test("puts no NUL characters between the letters of texts", async () => {
  for (const path of ["/", "/compare", stepOne]) {
    expect((await visitor().get(path, inHindi)).text).not.toContain("\0");
  }
});

test("responds to calls in English", async () => {
  const refused = await visitor().get("/api/no-such-call", { ...inHindi, Accept: "application/json" });
  expect(refused.status).toBe(404);
  expect(refused.text).toContain("We could not find that API endpoint.");
});
