/** Price texts of a card, in each country. */
import { expect, test } from "vitest";
import { toCard } from "#app/pages/home/card.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";

const card = (id: string, country: "IN" | "US") => {
  const item = catalogue.find((each) => each.id === id);
  expect.assert(item && isItemId(item.id));
  return toCard({ ...item, id: item.id, isAddon: item.section === "addon" }, country, "en");
};

test.each([
  ["microsoft-teams-essentials", "IN", "₹79", "₹100"],
  ["microsoft-teams-essentials", "US", "$3.50", "$4.00"],
  ["google-workspace-business-starter", "IN", "₹161", "₹270"],
  ["google-workspace-business-starter", "US", "$5.60", "$8.40"],
  ["copilot-for-microsoft-365", "IN", "₹2,466", "₹2,600"],
] as const)("%s in %s: shows the price from %s instead of %s", (id, country, from, list) => {
  expect(card(id, country)).toMatchObject({ from, list });
});
