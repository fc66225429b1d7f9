/** What the landing page says of each family: its offers, and its answers to what buyers ask. */
export const offers = {
  bannerOffice: "Meetings, mail or all of Office: a plan for each team",
  bannerMeeting: "Mail, documents and calls that teams share live",
  bannerLaptop: "A business laptop, set up for your team",
  alsoText: "Also here: a start page for the working day, rooms for calls, and single sign-on with backup.",
  alsoLink: "brio, our own workplace plans",
  genuineLicence:
    "Yes. Every licence is genuine, comes from Microsoft through its partner, and is registered to your company.",
  genuineDomain:
    "Yes. Every licence is genuine, comes from Google through its partner, and belongs to your company's own domain.",
  genuineOwn: "Yes. brio is our own: you buy from the people who make it and run it.",
  activationAccount:
    "Activation is automatic after the purchase. You say which Microsoft account it is for, new or your own, and the licences appear there.",
  activationDomain:
    "Activation is automatic too. After the payment you choose the administrator of your domain, or enter a transfer token if Google knows the domain already, and the licences are set up.",
  activationMail:
    "Activation is automatic after the purchase. The details with which your team signs in are emailed to you.",
} as const;
