/** Plans: who they are for, what they have. */
export const catalogue = {
  service: "Service",
  country: "Country",
  featured: "Featured Services",
  other: "Other Services",
  addOns: "Add-On Services",
  previousOf: "Previous in {title}",
  nextOf: "Next in {title}",
  place: "{at} of {of}",
  startingAt: "Starting at",
  listPrice: "List price ",
  monthly: " / Monthly",
  paidYearly: "per user, billed annually",
  paidMonthly: "per user, billed monthly",
  included: "What's included",
  apps: "Apps",
  buyNow: "Buy Now",
} as const;
