/** Who the store is: name, contacts and links, in one place for pages and mails. */
export const brand = {
  name: "Hubs of Happiness",
  tagline: "Transforming workplaces into Hubs of Happiness",
  supportEmail: "support@hubs.example",
  supportUrl: "mailto:support@hubs.example",
} as const;
