/** A company's roles, in the words its members read. */
export const roles = [
  { value: "viewer", label: "Viewer" },
  { value: "buyer", label: "Buyer" },
  { value: "owner", label: "Owner" },
] as const;
