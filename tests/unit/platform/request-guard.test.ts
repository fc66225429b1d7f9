import { expect, test } from "vitest";
import { mendedUrl } from "../../../server/web/request-guard.ts";

test.each([
  ["/", "/"],
  ["/search?q=%ff#x", "/search?q=%ff#x"],
  ["/caf%C3%A9", "/caf%C3%A9"],
  ["/reset-password/%ff", "/reset-password/%25ff"],
  ["/add/user/%E0%A4%A?x=%41", "/add/user/%25E0%25A4%25A?x=%41"],
  ["/%zz", "/%25zz"],
  ["/100%", "/100%25"],
  ["//evil.example/x", "//evil.example/x"],
  ["http://store.example/login?next=/", "/login?next=/"],
  ["http://store.example", "/"],
  ["*", "*"],
  ["", ""],
])("%s is taken as %s", (url, mended) => {
  expect(mendedUrl(url)).toBe(mended);
});
