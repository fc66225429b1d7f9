/** The roles of a company, in the words its people read. */
export const roles = [
  { value: "viewer", label: "Viewer" },
  { value: "buyer", label: "Buyer" },
  { value: "owner", label: "Owner" },
] as const;
