/** The page of paid orders that wait for their Microsoft account. */
export const microsoftSignup = {
  title: "Microsoft sign-in",
  nothingWhy:
    "After you pay for a Microsoft plan, we ask which Microsoft account to add it to. Orders that still need your answer appear here.",
  waiting:
    "{count, plural, one {One order is paid. Tell us which Microsoft account to add it to.} other {{count} orders are paid. Tell us which Microsoft account to add each one to.}}",
  goOn: "Continue<hidden> with {name}</hidden>",
  asked: "Do you have a Microsoft 365 account?",
  haveNone: "I don't have a Microsoft account or use any Microsoft services like Power BI, 365, Azure, etc.",
  haveNoneHint: "We'll create one: choose a username and a domain name.",
  haveOne: "I have a Microsoft account and want to add this subscription to my existing account",
  haveOneHint: "Enter its username and approve us there once.",
  thanks: "Thank you for your order. We've emailed you the order confirmation.",
} as const;
