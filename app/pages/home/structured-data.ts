/** The catalogue as schema.org data for search engines: the seller, the items with prices, and the frequent questions. */
import type { Brand } from "#server/foundation/brand.ts";
import type { Card } from "./card.ts";
import type { FaqEntry } from "./questions.ts";

export function structuredDataOf(
  shown: {
    featured: readonly Card[];
    other: readonly Card[];
    addOns: readonly Card[];
    questions: readonly FaqEntry[];
  },
  { brand, storeUrl }: { brand: Brand; storeUrl: string },
): object[] {
  const absolute = (path: string) => new URL(path, storeUrl).href;
  return [
    {
      "@type": "Organization",
      name: brand.name,
      slogan: brand.tagline,
      url: absolute("/"),
      logo: absolute("/icon-512.png"),
      email: brand.supportEmail,
      sameAs: brand.social.map(({ url }) => url),
      contactPoint: brand.phones.map(({ country, sales }) => ({
        "@type": "ContactPoint",
        contactType: "sales",
        telephone: sales,
        areaServed: country,
      })),
    },
    {
      "@type": "ItemList",
      itemListElement: [...shown.featured, ...shown.other, ...shown.addOns].map((card, index) => ({
        "@type": "ListItem",
        position: index + 1,
        item: {
          "@type": "Product",
          name: card.name,
          description: card.description,
          offers: {
            "@type": "Offer",
            price: card.price.amount,
            priceCurrency: card.price.currency,
            ...(card.buy !== null && { url: absolute(card.buy) }),
          },
        },
      })),
    },
    {
      "@type": "FAQPage",
      mainEntity: shown.questions.map(({ question, answer }) => ({
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: answer },
      })),
    },
  ];
}
