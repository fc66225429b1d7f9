/** A company's roles, in the words its members read. */
export const roles = [
  { value: "viewer", label: "members.viewer" },
  { value: "approver", label: "members.approver" },
  { value: "buyer", label: "members.buyer" },
  { value: "owner", label: "members.owner" },
] as const;
