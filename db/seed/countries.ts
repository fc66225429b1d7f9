/** The countries that are sold in and the currency of each: the rows of the reference table `countries`, and the ids in every type. */

export const countryRows = [
  { code: "IN", currency: "INR" },
  { code: "US", currency: "USD" },
] as const;
