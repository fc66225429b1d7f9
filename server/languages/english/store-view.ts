/** The store as a member of staff sees it in somebody else's place. */
export const storeView = {
  label: "Read-only view",
  asMember:
    "You see the store as <strong>{email}</strong> of {company} sees it, until {until}. Nothing can be changed.",
  end: "End this view",
  readOnly: "This is a read-only view of the store as a customer sees it. Nothing was changed.",
  over: "Your view of the store as a customer sees it has ended. Nothing was changed. Open another at the desk if you need one.",
  noSignInDetails: "Sign-in details are shown to the customer alone, never in this view.",
} as const;
