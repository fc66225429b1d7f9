/** Countries where we sell, with their currencies: the rows of the reference table `countries`, and the source of the types. */

export const countryRows = [
  { code: "IN", currency: "INR" },
  { code: "US", currency: "USD" },
] as const;
