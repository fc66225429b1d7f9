/** What a buyer does at the vendor when a new account is ready. The vendors' menus stand in the families, in the vendors' words. */
export const firstSteps = {
  microsoftSignIn: "Sign in to the admin centre",
  microsoftSignInText:
    "You see Microsoft’s sign-in page. Enter the username and the password from above. It asks you to choose a new password, and how you prove that it is you: an app or a phone number.",
  microsoftPeople: "Add your people",
  microsoftPeopleText:
    "The list shows one person, the administrator. For each of the others you give a name and an address, and choose {plan}. Many at once go in as a list, by “Add multiple users”.",
  microsoftDomain: "Connect your domain",
  microsoftDomainText:
    "Until then addresses end in {domain}. You type the domain you own, and the page shows the entries to make where you bought it.",
  googleSignIn: "Sign in to the admin console",
  googleSignInText:
    "You see Google’s sign-in page. Enter the username and the password from above. A welcome page follows, with Google’s terms.",
  googlePeople: "Add your people",
  googlePeopleText:
    "The list shows one person, the administrator. For each of the others you give a name and an address. Many at once go in as a list, by “Bulk update users”.",
  googleDomain: "Connect your domain",
  googleDomainText:
    "The console leads you through two entries where you bought {domain}: one shows that it is yours, one brings its mail to Gmail.",
  brioSignIn: "Sign in to brio",
  brioSignInText: "You see brio’s sign-in page. Enter the username and the access code from above.",
} as const;
