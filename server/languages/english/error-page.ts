/** The error page and the page that was not found. */
export const errorPage = {
  unexpected: "Unexpected Application Error!",
  noPage: "There is no page at {address}.",
  noPageWhy: "The link may be old, or a part of it is missing.",
  lost: "We could not find that page",
  lostWhy: "The link may be old, or it may belong to another account.",
  wait: "Please wait a little",
  closed: "This is not open to you",
  notThisTime: "That did not work this time",
  notThrough: "That did not go through",
  ourFault: "The fault is ours. What you have saved is kept, and nothing is charged twice.",
  inAMinute: "Please try again in a minute.",
  tryAgain: "Try again",
  shop: "Go to the shop",
  desk: "Go to the desk",
  contact: "Contact support",
  request: "Request <id>{id}</id>",
} as const;
