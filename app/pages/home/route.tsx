/** `/` and `/home`: the catalogue of one family, in the prices of one country. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listDashboard } from "#server/catalogue/items.ts";
import { takeTokenFromAddress } from "../../http/arrival.ts";
import { pageLoader } from "../../http/page.ts";
import { countryCode, familyName } from "../../params.ts";
import { paths } from "../../paths.ts";
import { toCard } from "./card.ts";
import { Choice } from "./choice.tsx";
import { Section } from "./section.tsx";

/** A link with a value we do not know still shows a shop, not an error. */
const chosen = z.object({
  service: familyName.catch("microsoft"),
  country: countryCode.catch("IN"),
  /** "true" where a customer adds to what it has (SPEC section 9). */
  TUP: z.literal("true").optional().catch(undefined),
});

export const loader = pageLoader(z.unknown(), async (page) => {
  await takeTokenFromAddress(page);
  const { context, url } = page;
  const { service, country, TUP } = chosen.parse(Object.fromEntries(url.searchParams));
  const { featured, other, addOns } = await listDashboard(context.db, service);
  return {
    service,
    country,
    isCustomer: TUP === "true",
    featured: featured.map((item) => toCard(item, country, TUP === "true")),
    other: other.map((item) => toCard(item, country, TUP === "true")),
    addOns: addOns.map((item) => toCard(item, country, TUP === "true")),
  };
});

export const meta = () => [
  { title: "Business plans of Microsoft 365 and Google Workspace | Hubs of Happiness" },
  {
    name: "description",
    content:
      "Compare and buy Microsoft 365, Google Workspace and brio plans for your business, in rupees or dollars.",
  },
];

export default function Home() {
  const { service, country, isCustomer, featured, other, addOns } = useLoaderData<typeof loader>();
  const here = (to: { service?: string; country?: string }) =>
    isCustomer
      ? paths.explore({ service, country, ...to, TUP: "true" })
      : paths.home({ service, country, ...to });
  return (
    <div className="page">
      <h1>Transforming workplaces into Hubs of Happiness</h1>
      {isCustomer && (
        <p className="lead">Choose what to add. It goes to an account your company has, or to a new one.</p>
      )}
      <div className="flex flex-wrap justify-between gap-4">
        <Choice
          label="Service"
          current={service}
          options={[
            { value: "microsoft", text: "Microsoft", href: here({ service: "microsoft" }) },
            { value: "google", text: "Google", href: here({ service: "google" }) },
          ]}
        />
        <Choice
          label="Country"
          current={country}
          options={[
            { value: "IN", text: "India (₹)", href: here({ country: "IN" }) },
            { value: "US", text: "USA ($)", href: here({ country: "US" }) },
          ]}
        />
      </div>
      <Section id="featured" title="Featured Services" cards={featured} />
      <Section id="other" title="Other Services" cards={other} />
      <Section id="add-ons" title="Add-On Services" cards={addOns} />
      {service !== "brio" && (
        <p>
          Also here: <a href={here({ service: "brio" })}>brio, our own workplace plans</a>.
        </p>
      )}
      <p className="hint">
        {country === "IN"
          ? "Prices are for each person, before 18% GST, and for businesses registered in India."
          : "Prices are for each person, in US dollars."}
      </p>
    </div>
  );
}
