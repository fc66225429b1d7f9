/** The roles of a company, in the words its people read. */
export const roles = [
  { value: "viewer", label: "Viewer: looks" },
  { value: "buyer", label: "Buyer: looks and orders" },
  { value: "owner", label: "Owner: orders, and says who belongs here" },
] as const;
