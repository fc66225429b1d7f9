/** The error page and the page that was not found. */
export const errorPage = {
  unexpected: "Unexpected Application Error!",
  noPage: "There is no page at {address}.",
  noPageWhy: "The link may be out of date or incomplete.",
  lost: "We could not find that page",
  lostWhy:
    "The link may be out of date or belong to another account. Check it, or look in My Orders or My Subscriptions.",
  wait: "Please wait a moment",
  closed: "You don't have access to this page",
  notThisTime: "Something went wrong",
  notThrough: "Your request didn't go through",
  ourFault: "This is a problem on our side. If you were paying, check My Orders before you try again.",
  inAMinute: "Please try again in a minute.",
  tryAgain: "Try again",
  shop: "Go to store",
  desk: "Go to Desk",
  contact: "Contact support",
  request: "Request <id>{id}</id>",
} as const;
