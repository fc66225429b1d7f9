/** What My Subscriptions, My Orders and the cart share: a search, pages, and what a list with nothing in it says. */
export const lists = {
  service: "Service",
  find: "Find",
  newest: "Newest",
  older: "Older",
  first: "First",
  next: "Next",
  nothingBegins: "Nothing here begins with “{search}”.",
  showAll: "Show all",
  explore: "Explore Services",
  searchHow: "Please search for the beginning of an order's id or of a domain, in up to {most} characters.",
  noSuchPage: "There is no such page of this list. Please open its first page.",
} as const;
