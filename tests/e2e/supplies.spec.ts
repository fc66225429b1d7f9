/**
 * Supplies with special GST rules, as their buyers see them: exports of the Indian seller, and to companies in a special economic
 * zone, under a letter of undertaking and with IGST. Each on the review, in its mails, on its invoice and in the invoice's PDF.
 */
import { type Stack, startStack } from "#tests/support/stack.ts";
import { expect, test as shared } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import type { Purchase, Shop } from "./pages/shop.ts";

/** A store without a seller in the USA. @param letters its letters of undertaking, as in the setting */
const exporting = (letters: string) =>
  shared.extend<object, { stack: Stack }>({
    stack: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
      async ({}, use) => {
        const none = { SELLER_NAME_US: "", SELLER_ADDRESS_US: "", SELLER_EIN_US: "" };
        const stack = await startStack({ env: { TRUSTED_PROXIES: "1", ...none, SELLER_LUT: letters } });
        await use(stack);
        await stack.stop();
      },
      { scope: "worker" },
    ],
    baseURL: async ({ stack }, use) => use(stack.url),
    sandboxUrl: async ({ stack }, use) => use(stack.sandboxUrl),
    databaseUrl: async ({ stack }, use) => use(stack.databaseUrl),
  });

const thisYear = new Date().getFullYear();
/** Letters for every financial year in which this can run. */
const letters = [thisYear - 1, thisYear]
  .map((first) => `${first}-${String(first + 1).slice(2)} AD2903${first}00103V`)
  .join("; ");
const underLetter = exporting(letters);
const withTax = exporting("");

// One stack for each of the two, not for each test.
shared.describe.configure({ mode: "default" });

const brio = { family: "brio", plan: "brio-desk" } as const;
const abroad: Purchase = { country: "US", ...brio };
const zone: Purchase = {
  country: "IN",
  ...brio,
  account: {
    companyName: "Silver Comet Software Pvt Ltd",
    registration: "29AAGCS5678Q1Z7",
    pincode: "560066",
  },
};

/** Pays at the checkout, and opens the registered invoice. */
async function payAndOpenInvoice(shop: Shop): Promise<InvoicePage> {
  const { page } = shop;
  await shop.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Invoice", exact: true }).click();
  const invoice = new InvoicePage(page);
  await invoice.untilFinal();
  return invoice;
}

/** Expects these texts on an invoice's page and in its PDF, ignoring spaces, because a PDF breaks long words. */
async function expectOnInvoice(invoice: InvoicePage, { says, never }: { says: string[]; never: RegExp }) {
  for (const words of [(await invoice.sheet.textContent()) ?? "", await invoice.pdf()]) {
    const packed = words.replaceAll(/\s/g, "");
    for (const each of says) expect(packed).toContain(each.replaceAll(/\s/g, ""));
    expect(words).not.toMatch(never);
    expect(packed).toMatch(/[0-9a-f]{64}/);
  }
}

underLetter(
  "an export under a letter has no GST on the review, in its mails and on its invoice",
  async ({ page, shop, expectAccessible }) => {
    const { email } = await shop.reachPlaceOrder(abroad);
    await expect(page.getByRole("main")).toContainText(
      "No GST: this is an export under a letter of undertaking.",
    );
    await expect(page.getByRole("main")).not.toContainText(/Estimated tax|CGST|IGST/);
    const invoice = await payAndOpenInvoice(shop);
    await expectAccessible();
    await expectOnInvoice(invoice, {
      says: [
        "Tax Invoice",
        "GSTIN 29AABCH9876K1ZR",
        "Foreign country (96)",
        "SUPPLY MEANT FOR EXPORT UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX",
        "Total (INR, at 84.5 for 1 USD)",
        "Service period",
      ],
      never: /CGST|SGST|IGST \d/,
    });
    const mail = await shop.inbox.wait(email, /^Your access to brio/);
    expect(mail.text).not.toMatch(/IGST|CGST|GST \(/);
    await shop.inbox.wait(email, /^Your invoice US\/.* is ready$/);
  },
);

underLetter(
  "a company in a zone reads no GST from the first step of its next order on, and at its renewal",
  async ({ page, shop, sql }) => {
    const none = "No GST: your company is in a special economic zone";
    const main = page.getByRole("main");
    const { email } = await shop.reachPlaceOrder(zone);
    const { orderId } = shop;
    await expect(main).toContainText(none);
    const invoice = await payAndOpenInvoice(shop);
    await expectOnInvoice(invoice, {
      says: ["SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS UNDER BOND", "Karnataka (29)"],
      never: /CGST|SGST|IGST \d/,
    });
    const mail = await shop.inbox.wait(email, /^Your access to brio/);
    expect(mail.text).not.toMatch(/IGST|CGST|GST \(/);
    const ready = await shop.inbox.wait(email, /^Your invoice IN\/.* is ready$/);
    expect(ready.text).not.toContain("claim the tax");

    await page.goto("/contract/brio/brio-desk/IN?TUP=true");
    await expect(main).toContainText(none);
    await expect(main).not.toContainText(/(before|with|\+) I?GST/);
    const [held] = await sql(
      "update subscriptions set end_date = now() + interval '5 days' where order_id = $1 returning id",
      [orderId],
    );
    await page.goto(`/${held?.id}/renew`);
    await expect(main).toContainText(none);
    await expect(main).not.toContainText(/(before|with|\+) I?GST/);
    await page.goto("/subscriptions");
    await expect(main).toContainText("per year");
    await expect(main).not.toContainText(/(before|with|\+) I?GST/);
  },
);

withTax("an export without a letter pays IGST, and its invoice says so", async ({ page, shop }) => {
  const { email } = await shop.reachPlaceOrder(abroad);
  await expect(page.getByRole("main")).toContainText("IGST 18%: this is an export");
  await expect(page.getByRole("main")).toContainText("$16.20");
  const invoice = await payAndOpenInvoice(shop);
  await expectOnInvoice(invoice, {
    says: [
      "SUPPLY MEANT FOR EXPORT ON PAYMENT OF INTEGRATED TAX",
      "Foreign country (96)",
      "IGST 18%",
      "$16.20",
      "Total (INR, at 84.5 for 1 USD)",
      "₹8,973.90",
    ],
    never: /CGST|SGST|UNDERTAKING/i,
  });
  const mail = await shop.inbox.wait(email, /^Your access to brio/);
  expect(mail.text).toContain("IGST (18%): $16.20");
  // A buyer without an Indian registration cannot claim tax there.
  const ready = await shop.inbox.wait(email, /^Your invoice US\/.* is ready$/);
  expect(ready.text).not.toContain("claim the tax");
});

withTax(
  "a company in a zone pays IGST without a letter, also in the seller's own state",
  async ({ page, shop }) => {
    const { email } = await shop.reachPlaceOrder(zone);
    const main = page.getByRole("main");
    await expect(main).toContainText("IGST 18%: your company is in a special economic zone");
    await expect(main).toContainText("₹835.92");
    const invoice = await payAndOpenInvoice(shop);
    await expectOnInvoice(invoice, {
      says: [
        "SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX",
        "GSTIN 29AAGCS5678Q1Z7",
        "Karnataka (29)",
        "IGST 18%",
        "₹835.92",
      ],
      never: /CGST|SGST|UNDERTAKING/i,
    });
    const mail = await shop.inbox.wait(email, /^Your access to brio/);
    expect(mail.text).toContain("IGST (18%): ₹835.92");
    const ready = await shop.inbox.wait(email, /^Your invoice IN\/.* is ready$/);
    expect(ready.text).toContain("claim the tax");
  },
);
