/** Detects browsers inside other apps by their User-Agent. */
import { expect, test } from "vitest";
import { inAppBrowserOf } from "#app/http/in-app-browsers.ts";

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8";
const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36";

const of = (agent: string | null) =>
  inAppBrowserOf(new Headers(agent === null ? {} : { "User-Agent": agent }));

test.each([
  ["WhatsApp", `${iPhone} Mobile/15E148 WhatsApp/25.1.80`],
  ["Instagram", `${iPhone} Mobile/15E148 Instagram 380.0.0.28 (iPhone15,2; iOS 18_5)`],
  ["Instagram", `${android} Build/UP1A; wv) ${chromium} Instagram 380.0.0.0 Android`],
  ["Facebook", `${iPhone} Mobile/15E148 [FBAN/FBIOS;FBAV/500.0.0;FBBV/1]`],
  ["Facebook", `${android} Build/UP1A; wv) ${chromium} [FB_IAB/FB4A;FBAV/500.0.0;]`],
  ["LinkedIn", `${iPhone} Mobile/15E148 [LinkedInApp]/9.30`],
  ["Gmail", `${iPhone} Mobile/15E148 Gmail/6.0`],
  [null, `${android} Build/UP1A; wv) ${chromium}`],
  [null, `${iPhone} Mobile/15E148`],
])("recognises %s by %s", (app, agent) => {
  expect(of(agent)).toEqual({ app });
});

test.each([
  ["Safari", `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["Chrome on iOS", `${iPhone} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`],
  [
    "Chrome on Android",
    `${android}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36`,
  ],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["no User-Agent", null],
])("%s: finds no app", (_name, agent) => {
  expect(of(agent)).toBeNull();
});
