/** What the landing page says of each family: its offers, and its answers to what buyers ask. */
export const offers = {
  bannerOffice: "Meetings, email or all of Office: a plan for every team",
  bannerMeeting: "Email, documents and calls for teams that work together",
  bannerLaptop: "A business laptop, set up for your team",
  alsoText: "Also here: a start page for the working day, rooms for calls, and single sign-on with backup.",
  alsoLink: "brio, our own workplace plans",
  genuineLicence:
    "Yes. Licenses are genuine, sourced from Microsoft through a partner, and registered to your company.",
  genuineDomain:
    "Yes. Licenses are genuine, sourced from Google through a partner, and belong to your company's own domain.",
  genuineOwn: "Yes. brio is our own product, so you buy directly from its makers.",
  activationAccount:
    "Activation is automatic after purchase, usually within minutes. Tell us which Microsoft account to use, new or existing, and the licenses appear there. If Microsoft has to review your company, it can take a few days.",
  activationDomain:
    "Activation is automatic too, usually within minutes. After payment, choose an administrator for your domain, or enter a transfer token if the domain is already with Google, and we set up the licenses.",
  activationMail:
    "Activation is automatic after purchase, usually within minutes. We email you your team's sign-in details.",
} as const;
