/** What a buyer does at the vendor when a new account is ready. The vendors' menus stand in the families, in the vendors' words. */
export const firstSteps = {
  microsoftSignIn: "Sign in to the admin centre",
  microsoftSignInText:
    "On Microsoft's sign-in page, enter the username and password above. You'll choose a new password and set up an app or phone number to verify it's you.",
  microsoftPeople: "Add users",
  microsoftPeopleText:
    "The list shows one user, the administrator. For each new user, enter a name and an email address and select {plan}. To add many at once, use “Add multiple users”.",
  microsoftDomain: "Connect your domain",
  microsoftDomainText:
    "Until you do, email addresses end in {domain}. Enter the domain you own, and Microsoft shows the DNS records to add where you bought it.",
  googleSignIn: "Sign in to the admin console",
  googleSignInText:
    "On Google's sign-in page, enter the username and password above. You'll then see a welcome page with Google's terms.",
  googlePeople: "Add users",
  googlePeopleText:
    "The list shows one user, the administrator. For each new user, enter a name and an email address. To add many at once, use “Bulk update users”.",
  googleDomain: "Connect your domain",
  googleDomainText:
    "The console guides you through two DNS records to add where you bought {domain}: one proves you own it, the other delivers its email to Gmail.",
  brioSignIn: "Sign in to brio",
  brioSignInText: "On brio's sign-in page, enter the username and access code above.",
} as const;
