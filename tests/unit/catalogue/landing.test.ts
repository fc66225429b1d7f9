/** The landing page in each country: slides, answers, and structured data for search engines. */
import { describe, expect, it, test } from "vitest";
import { toCard } from "#app/pages/home/card.ts";
import { carouselSlides } from "#app/pages/home/carousel-slides.ts";
import { faqFor } from "#app/pages/home/questions.ts";
import { structuredDataOf } from "#app/pages/home/structured-data.ts";
import { type CatalogueItem, isItemId } from "#db/catalogue/catalogue.ts";
import type { Country } from "#db/tables/enums.ts";
import { brand } from "#server/foundation/brand.ts";
import type { PaymentMethod, PaymentSettings } from "#server/platform/settings/payments.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";

const itemsOf = (family: string): CatalogueItem[] =>
  catalogue
    .filter((item) => item.family === family)
    .map((item) => {
      expect.assert(isItemId(item.id));
      return { ...item, id: item.id, isAddon: item.section === "addon" };
    });
const items = { microsoft: itemsOf("microsoft"), google: itemsOf("google") };
const onSale = new Map([
  ["microsoft", items.microsoft],
  ["google", items.google],
] as const);

const inIndia = { country: "IN", service: "microsoft", language: "en" } as const;
const inUsa = { ...inIndia, country: "US" } as const;

describe("the carousel", () => {
  it("starts with the chosen provider, and contains all slides", () => {
    const makers = carouselSlides({ ...inIndia, service: "google" }, onSale).map(({ maker }) => maker);
    expect(makers).toEqual(["Google Workspace", "Microsoft 365", "Microsoft"]);
  });

  it("uses the visitor's language", () => {
    const [microsoft, , laptop] = carouselSlides({ ...inUsa, language: "hi" }, onSale);
    expect(microsoft?.action).toBe("Microsoft के प्लान देखें");
    expect(laptop?.action).toBe("डॉलर में क़ीमत माँगें");
  });

  it("shows the specification's slides in India", () => {
    const [microsoft, google, laptop] = carouselSlides(inIndia, onSale);
    expect(microsoft?.price).toEqual({
      before: "Starting at",
      amount: "₹79",
      list: null,
      after: "per month",
    });
    expect(google?.price).toEqual({ before: "Starting at", amount: "₹161", list: null, after: "per month" });
    expect(laptop?.price).toEqual({
      before: "Now",
      amount: "₹65,000",
      list: "₹1,23,851",
      after: "both plus GST",
    });
    expect(laptop?.href).toBeNull();
    // Leads to the plans instead of the top of the page with the slide.
    expect(microsoft?.href).toBe("/#featured");
    expect(google?.href).toBe("/?service=google#featured");
  });

  it("shows no rupees in the USA, and no price for the laptop", () => {
    const offers = carouselSlides(inUsa, onSale);
    expect(offers.map(({ price }) => price?.amount ?? null)).toEqual(["$2.85", "$5.60", null]);
    expect(JSON.stringify(offers)).not.toContain("₹");
    expect(offers[0]?.href).toBe("/?country=US#featured");
  });

  it("keeps the parameters of a customer who adds a subscription", () => {
    expect(carouselSlides({ ...inUsa, TUP: "true" }, onSale).map(({ href }) => href)).toEqual([
      "/?country=US&TUP=true#featured",
      "/?service=google&country=US&TUP=true#featured",
      null,
    ]);
  });

  it("shows no price when no item is on sale", () => {
    expect(carouselSlides(inIndia, new Map())[0]?.price).toBeNull();
  });
});

/** Default payment settings. */
const byCard: PaymentSettings = { methods: ["card"], ceilings: {} };
const cards = {
  payments: new Map<Country, PaymentSettings>([
    ["IN", byCard],
    ["US", byCard],
  ]),
};

test.each([
  ["microsoft", "Microsoft"],
  ["google", "Google"],
] as const)("answers about %s as the specification does", (service, vendor) => {
  const said = faqFor(cards, { service, country: "IN", language: "en" }).map(({ answer }) => answer);
  expect(said).toHaveLength(5);
  expect(said[0]).toContain(`genuine, sourced from ${vendor} through a partner`);
  expect(said[1]).toContain("Activation is automatic");
  expect(said[2]).toContain("cards, net banking, UPI and wallets");
  expect(said[3]).toContain("30 days before a subscription expires, on the Subscriptions page");
  expect(said[4]).toContain("only for businesses registered in India");
});

test("names the methods of the checkout, then payment links and bank transfer", () => {
  const answer = (methods: PaymentMethod[]) =>
    faqFor(
      { payments: new Map<Country, PaymentSettings>([["IN", { methods, ceilings: {} }]]) },
      { service: "microsoft", country: "IN", language: "en" },
    )[2]?.answer;
  expect(answer(["card"])).toBe(
    "With cards, net banking, UPI and wallets. Pay for orders here by card, on Razorpay's secure page. To pay by UPI, net banking or wallet, ask us for a payment link.",
  );
  expect(answer(["card", "upi", "netbanking", "wallet", "transfer"])).toBe(
    "With cards, net banking, UPI and wallets. Pay for orders here by card, UPI, net banking or wallet, on Razorpay's secure page. You can pay for orders of any size by bank transfer. Get a proforma invoice when you review your order.",
  );
});

test("answers differently in the USA who can buy", () => {
  expect(faqFor(cards, { service: "microsoft", country: "US", language: "en" })[4]?.answer).toMatch(
    /^Businesses in the USA pay the prices in dollars/,
  );
});

describe("the structured data", () => {
  const featured = items.microsoft.slice(0, 2).map((item) => toCard(item, "US", "en"));
  const questions = faqFor(cards, { service: "microsoft", country: "US", language: "en" });
  const [organization, list, faq] = structuredDataOf(
    { featured, other: [], addOns: [], questions },
    { brand, storeUrl: "https://shop.example" },
  );

  it("describes the store as an organization with phone numbers", () => {
    expect(organization).toMatchObject({
      "@type": "Organization",
      name: brand.name,
      contactPoint: [{ areaServed: "IN" }, { areaServed: "US", telephone: "+1 212 555 0101" }],
    });
  });

  it("describes each plan as a product with the card's price as a number", () => {
    expect(list).toMatchObject({
      "@type": "ItemList",
      itemListElement: [
        {
          position: 1,
          item: {
            "@type": "Product",
            name: "Microsoft 365 Business Basic",
            offers: {
              price: "5.70",
              priceCurrency: "USD",
              url: "https://shop.example/order/microsoft/microsoft-365-business-basic/US",
            },
          },
        },
        { position: 2 },
      ],
    });
  });

  it("contains the page's questions and answers", () => {
    expect(faq).toMatchObject({
      "@type": "FAQPage",
      mainEntity: questions.map(({ question, answer }) => ({
        name: question,
        acceptedAnswer: { text: answer },
      })),
    });
  });

  it("omits the URL of an order for viewers", () => {
    const [, looking] = structuredDataOf(
      {
        featured: items.google.map((item) => toCard(item, "IN", "en", { mayBuy: false })),
        other: [],
        addOns: [],
        questions,
      },
      { brand, storeUrl: "https://shop.example" },
    );
    expect(JSON.stringify(looking)).not.toContain('"url"');
  });
});
