/** What My Subscriptions, My Orders and the cart share: a search, pages, and what a list with nothing in it says. */
export const lists = {
  service: "Service",
  find: "Search",
  newest: "Newest",
  older: "Older",
  first: "First",
  next: "Next",
  nothingBegins: "Nothing here starts with “{search}”.",
  moreFor: "More for {what}",
  showAll: "Show all",
  explore: "Explore Services",
  searchHow: "Search by the start of an order ID or domain, up to {most} characters.",
  noSuchPage: "This page of the list doesn't exist. Go back to the first page.",
} as const;
