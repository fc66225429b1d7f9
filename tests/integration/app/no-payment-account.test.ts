/** A country without a payment account sells nothing: every page says so and no order begins. */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { razorpaySettingsOf } from "#server/platform/settings/accounts.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const closedSettings = Object.fromEntries(Object.values(razorpaySettingsOf("US")).map((name) => [name, ""]));
const { stack, context } = await startStore({ env: closedSettings });

test.each([
  ["microsoft", "Microsoft 365", "microsoft-365-business-standard"],
  ["google", "Google Workspace", "google-workspace-business-starter"],
  ["brio", "brio", "brio-desk"],
] as const)("%s: shows that the country is closed and refuses a post", async (family, name, item) => {
  const words = `We don&#x27;t sell ${name} in the USA yet. We sell it in India today.`;
  const step = paths.newOrder({ family, item, country: "US" });
  for (const path of [paths.home({ service: family, country: "US" }), step]) {
    const page = await new HttpBrowser(stack.url).get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(words);
  }
  const posted = await expectNoWrites(context.db, () =>
    new HttpBrowser(stack.url).post(step, { term: "P1Y", quantity: "3", domain: "fresh.example" }),
  );
  expect(posted.status).toBe(409);
  expect((await new HttpBrowser(stack.url).get("/sitemap.xml")).text).not.toContain(step);
});
