/** Pages to read before buying: the plan comparison, the plan adviser, payment methods, the seller and the terms. */
import { describe, expect, test } from "vitest";
import { brand } from "#server/foundation/brand.ts";
import { exampleSeller } from "#server/foundation/example-values.ts";
import * as paths from "#server/foundation/paths.ts";
import { partnerSettingsOf } from "#server/platform/settings/accounts.ts";
import { startStore } from "#tests/support/store.ts";

const hindi = { "Accept-Language": "hi" };
const closedSettings = Object.fromEntries(Object.values(partnerSettingsOf("US")).map((name) => [name, ""]));
const { stack } = await startStore({
  env: { ...closedSettings, SELLER_SUPPORT_HOURS_US: "9 to 5 <Pacific>", SELLER_PHONE_US: "+1 415 700 2200" },
});

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${stack.url}${path}`, { headers });
  expect(response.status, path).toBe(200);
  // React separates adjacent texts with comments.
  return (await response.text()).replaceAll("<!-- -->", "");
}
const buttonsIn = (html: string) => html.match(/Buy Now/g)?.length ?? 0;

describe("/compare", () => {
  test("shows every plan with its button and no add-on", async () => {
    const html = await page(paths.compare());
    expect(html).toContain("<title>Compare Microsoft 365 plans | Hubs of Happiness</title>");
    expect(buttonsIn(html)).toBe(9);
    expect(html).not.toContain("Copilot");
    expect(html).toContain("Prices are per user, before 18% GST");
    expect(html).not.toContain("<script src");
  });

  test("shows the country's prices, or that nothing is sold there", async () => {
    expect(await page(paths.compare({ service: "google", country: "US" }))).toContain("$67.20");
    const closed = await page(paths.compare({ country: "US" }));
    expect(closed).toContain("We don&#x27;t sell Microsoft 365 in the USA yet.");
    expect(buttonsIn(closed)).toBe(0);
  });

  test("shows the prices of the country chosen before", async () => {
    const chosen = await fetch(`${stack.url}${paths.compare({ country: "US" })}`);
    const cookie = chosen.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    expect(await page(paths.compare({ service: "google" }), { cookie })).toContain("$67.20");
    expect(await page(paths.choose({ service: "google" }), { cookie })).toContain('value="US"');
  });

  test("leads an existing customer to the shorter journey", async () => {
    const html = await page(paths.compare({ TUP: "true" }));
    expect(html).toContain('href="/contract/microsoft/microsoft-365-business-basic/IN?TUP=true"');
    expect(html).toContain('<input type="hidden" name="TUP" value="true"/>');
  });

  test.each([
    ["one that is unknown", "?plan=no-such-plan&with=microsoft-365-business-premium"],
    ["the same twice", "?plan=microsoft-365-business-basic&with=microsoft-365-business-basic"],
    ["invalid values", "?service=x&country=y&plan=<script>&fits=<script>"],
  ])("shows two plans when asked for %s", async (_what, query) => {
    const html = await page(`${paths.compare()}${query}`);
    expect(html.match(/<th scope="col" class="shown"/g)).toHaveLength(2);
    expect(html).not.toContain("<script>");
  });

  test("translates into Hindi", async () => {
    const html = await page(paths.compare(), hindi);
    expect(html).toContain("Microsoft 365 प्लान की तुलना");
    expect(html).toContain("अभी ख़रीदें");
    expect(html).not.toContain("Mailbox");
  });
});

describe("/choose", () => {
  const answers = "documents=desktop&talking=both&protection=usual";

  test("asks three questions and recommends a plan after the answers", async () => {
    const asking = await page(paths.choose());
    expect(asking.match(/<fieldset>/g)).toHaveLength(3);
    expect(asking).not.toContain("We recommend");
    const advised = await page(`${paths.choose()}?${answers}`);
    expect(advised).toContain("We recommend Microsoft 365 Business Standard");
    expect(advised).toContain("desktop apps, email on your domain and online meetings");
    expect(advised).toContain("₹729</strong> per user/month, before GST");
    expect(advised).toContain('href="/order/microsoft/microsoft-365-business-standard/IN"');
    const chosen = "microsoft-365-business-standard";
    expect(advised).toContain(`href="/compare?plan=${chosen}&amp;fits=${chosen}"`);
  });

  test("asks for missing answers, and sells nothing in a closed country", async () => {
    const incomplete = await page(`${paths.choose()}?documents=desktop`);
    expect(incomplete).toContain("Please answer all three questions.");
    // The browser's own message would cover the answers.
    expect(incomplete).toMatch(/<form method="get" novalidate=""/i);
    const closed = await page(`${paths.choose({ country: "US" })}&${answers}`);
    expect(closed).toContain("We recommend Microsoft 365 Business Standard");
    expect(buttonsIn(closed)).toBe(0);
  });

  test("falls back to the standard family for one without questions", async () => {
    expect(await page(paths.choose({ service: "brio" }))).toContain(
      "Find your Microsoft 365 plan in three questions",
    );
  });

  test("translates into Hindi", async () => {
    const html = await page(`${paths.choose()}?${answers}`, hindi);
    expect(html).toContain("हमारा सुझाव: Microsoft 365 Business Standard");
    expect(html).toContain("डेस्कटॉप ऐप, आपके डोमेन पर ईमेल");
  });
});

describe("/payment-methods", () => {
  test("lists each method with its status, its limit and an example", async () => {
    const html = await page(paths.paymentMethods());
    for (const [name, status] of [
      ["UPI QR code", "Accepted, up to ₹1,00,000 a payment"],
      ["Card", "Accepted"],
      ["UPI", "Accepted, up to ₹1,00,000 a payment"],
      ["Net banking", "Accepted"],
      ["Wallet", "Accepted"],
      ["Pay later", "Not accepted"],
    ])
      expect(html).toContain(`<dt>${name}</dt><dd>${status}`);
    expect(html).toContain("You can pay a bill of ₹350 by card, UPI, net banking or wallet.");
    const american = await page(`${paths.paymentMethods()}?country=US`);
    expect(american).toContain("<dt>UPI</dt><dd>Not accepted</dd>");
    expect(american).toContain("You can pay a bill of $350.00 by card.");
  });

  test("links from the questions and from the footer of a step", async () => {
    expect(await page(paths.home())).toContain('<a href="/payment-methods">Payment methods</a>');
    expect(await page("/order/microsoft/microsoft-365-business-basic/IN")).toContain(
      'href="/payment-methods"',
    );
  });
});

describe("the legal information", () => {
  test("shows each country's seller from the settings", async () => {
    const html = await page(paths.about());
    for (const name of ["SELLER_NAME", "SELLER_GSTIN", "SELLER_NAME_US", "SELLER_EIN_US"] as const)
      expect(html).toContain(exampleSeller[name]);
    expect(html).toContain("+1 415 700 2200");
    expect(html).toContain("9 to 5 &lt;Pacific&gt;");
    expect(html).toContain("businesses in India and the USA");
  });

  test("shows the grievance contact", async () => {
    const html = await page(paths.grievances());
    expect(html).toContain(exampleSeller.SELLER_GRIEVANCE_OFFICER);
    expect(html).toContain(`mailto:${exampleSeller.SELLER_GRIEVANCE_EMAIL}`);
  });

  test("shows the terms that an order accepts", async () => {
    for (const path of [paths.terms(), paths.refunds()]) {
      const html = await page(path);
      for (const term of [
        "You may cancel within 7 days for a prorated refund.",
        "Licences can only be reduced within 72 hours.",
        "100% advance payment. An order cannot be cancelled once it is placed.",
      ])
        expect(html, path).toContain(term);
    }
    expect(await page(paths.terms())).toContain(
      "Your company also accepts the Microsoft Customer Agreement.",
    );
  });

  test("lists the known exceptions from accessibility with a contact", async () => {
    const html = await page(paths.accessibility());
    expect(html).toContain("WCAG) 2.2 at level AA");
    expect(html).toContain("have no tags for screen readers");
    expect(html).toContain(`<a href="${paths.grievances()}">grievance contact</a>`);
    expect(html).toContain(brand.supportEmail);
  });

  test("names every recipient of personal data", async () => {
    const html = await page(paths.privacy());
    for (const name of [
      "Razorpay processes payments",
      "Microsoft sets up",
      "Google sets up",
      "Cashfree looks up",
    ])
      expect(html).toContain(name);
  });

  test("links to the data download and account deletion in each language", async () => {
    for (const [language, words] of [
      [undefined, ["download everything we hold about you", "delete your account"]],
      [hindi, ["आपके बारे में हमारे पास मौजूद पूरा डेटा डाउनलोड करना", "अपना अकाउंट मिटाना"]],
    ] as const) {
      const html = await page(paths.privacy(), language);
      for (const said of words) expect(html).toContain(`<a href="${paths.myData()}">${said}</a>`);
    }
  });

  test.each([
    paths.about(),
    paths.terms(),
    paths.refunds(),
    paths.privacy(),
    paths.grievances(),
    paths.accessibility(),
  ])("%s: translates into Hindi without a script, linked from every footer", async (path) => {
    const html = await page(path, hindi);
    const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
    const sentences = main.replaceAll(/<[^>]*>/g, "\n").match(/[A-Za-z]+(?: [a-z]+){3,}/g) ?? [];
    expect(sentences).toEqual([]);
    expect(await page(paths.login())).toContain(`href="${path}"`);
    expect(html).not.toContain("<script src");
  });
});
