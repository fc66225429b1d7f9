/** Plans: who they are for, what they have. */
export const catalogue = {
  service: "Service",
  country: "Country",
  featured: "Featured Services",
  other: "Other Services",
  addOns: "Add-On Services",
  previousOf: "Previous of {title}",
  nextOf: "Next of {title}",
  place: "{at} of {of}",
  startingAt: "Starting at",
  listPrice: "List price ",
  monthly: " / Monthly",
  paidYearly: "per person, paid yearly",
  paidMonthly: "per person, paid monthly",
  included: "What is included",
  apps: "Apps",
  buyNow: "Buy Now",
} as const;
