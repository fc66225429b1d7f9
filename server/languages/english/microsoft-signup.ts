/** The page of paid orders that wait for their Microsoft account. */
export const microsoftSignup = {
  title: "Microsoft sign-in",
  nothing: "Nothing needs your answer.",
  nothingWhy:
    "After you pay for a Microsoft plan, we ask which Microsoft account it goes to. An order that still needs your answer is listed on this page.",
  waiting:
    "{count, plural, one {One order is paid and only needs to know which Microsoft account it goes to.} other {{count} orders are paid and only need to know which Microsoft account they go to.}}",
  goOn: "Continue<hidden> with {name}</hidden>",
  asked: "You will be asked which is true for you",
  haveNone:
    "“I don't have a Microsoft account or use any Microsoft services like Power BI, 365, Azure, etc.” Then we make one: you choose a username and a domain name ending with @onmicrosoft.com.",
  haveOne:
    "“I have a Microsoft account and want to add this subscription to my existing account.” Then you give its username and approve us there once.",
} as const;
