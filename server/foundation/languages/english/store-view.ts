/** The store as a member of staff sees it in somebody else's place. */
export const storeView = {
  label: "Read-only view",
  asMember:
    "You're viewing the store as <strong>{email}</strong> of {company} until {until}. You can't change anything.",
  end: "End this view",
  readOnly: "This is a read-only view of the store as a customer sees it. Nothing was changed.",
  over: "Your view of the store as a customer has ended. Nothing was changed. Start another in Desk if you need one.",
  noSignInDetails: "Sign-in details are shown to the customer alone, never in this view.",
} as const;
