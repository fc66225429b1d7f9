/** The catalogue of one family, in the prices of one country. */
import { useLocation } from "@remix-run/react";
import { placeWith } from "../../ui/navigation.ts";
import type { catalogueOf } from "./catalogue-data.ts";
import { Choice } from "./choice.tsx";
import { Section } from "./section.tsx";

export const catalogueMeta = [
  { title: "Business plans of Microsoft 365 and Google Workspace | Hubs of Happiness" },
  {
    name: "description",
    content:
      "Compare and buy Microsoft 365, Google Workspace and brio plans for your business, in rupees or dollars.",
  },
];

export function Catalogue(props: Awaited<ReturnType<typeof catalogueOf>>) {
  const { service, country, isCustomer, looksOnly, featured, other, addOns } = props;
  const place = useLocation();
  const here = (to: { service?: string; country?: string }) => placeWith(place, to);
  return (
    <div className="page">
      <h1>Transforming workplaces into Hubs of Happiness</h1>
      {looksOnly !== null && <p className="notice info">{looksOnly}</p>}
      {isCustomer && looksOnly === null && (
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
