/**
 * The store's identity: name, contacts, offices and links, for pages, mails and invoices. A reseller brands the store only here.
 * The numbers and addresses below are examples that reach nobody.
 */
export const brand = {
  name: "Hubs of Happiness",
  /** Prefix of order numbers. */
  orderPrefix: "HUB",
  tagline: "Transforming workplaces into Hubs of Happiness",
  supportEmail: "support@hubs.example",
  supportUrl: "mailto:support@hubs.example",
  /** Contact for reporting vulnerabilities, as security.txt needs it. */
  securityContact: "mailto:security@hubs.example",
  /** The company's own contact page. */
  contactUrl: "https://www.hubs.example/contact",
  /** A number that answers WhatsApp chats. */
  whatsApp: "+91 00000 00100",
  phones: [
    {
      country: "IN",
      sales: "+91 00000 00101",
      support: "+91 00000 00102",
      billing: "+91 00000 00103",
    },
    {
      country: "US",
      sales: "+1 212 555 0101",
      support: "+1 212 555 0102",
      billing: "+1 212 555 0103",
    },
  ],
  /** `icon` names an icon of public/icons.svg. */
  offices: [
    { city: "Bengaluru", place: "15 Residency Road", icon: "bengaluru" },
    { city: "Mumbai", place: "Bandra Kurla Complex", icon: "mumbai" },
    { city: "Delhi", place: "Barakhamba Road", icon: "delhi" },
    { city: "Hyderabad", place: "HITEC City", icon: "hyderabad" },
    { city: "New York", place: "Madison Avenue", icon: "new-york" },
  ],
  social: [
    { name: "LinkedIn", url: "https://social.hubs.example/linkedin", icon: "people" },
    { name: "YouTube", url: "https://social.hubs.example/youtube", icon: "video" },
    { name: "Instagram", url: "https://social.hubs.example/instagram", icon: "camera" },
    { name: "X", url: "https://social.hubs.example/x", icon: "bubble" },
  ],
} as const;

export type Brand = typeof brand;
