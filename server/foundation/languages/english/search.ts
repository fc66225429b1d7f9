/** The search results. */
export const search = {
  failed: "Search failed",
  searching: "Searching…",
  featured: "Featured services",
  results: "Results for “{query}”",
  again: "Search again",
  whatFor: "What are you looking for?",
  search: "Search",
  nothing: "No results. Try a single word such as “email” or “meetings”, or <link>see all products</link>.",
  found: "{count, plural, one {{count} service} other {{count} services}}, page {page} of {pages}",
  services: "Services",
  pages: "Pages of results",
  previous: "Previous",
  next: "Next",
  page: "Page {number}",
  metaSearch: "Search: {query}",
  metaFeatured: "The plans of {sells} that most businesses choose, side by side.",
} as const;
