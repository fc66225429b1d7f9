/** A company's roles, with their labels for members. */
export const roles = [
  { value: "viewer", label: "members.viewer" },
  { value: "approver", label: "members.approver" },
  { value: "buyer", label: "members.buyer" },
  { value: "owner", label: "members.owner" },
] as const;
