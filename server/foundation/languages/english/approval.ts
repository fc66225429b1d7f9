/** The page of a tenant's administrator. */
export const approval = {
  title: "Confirm an order",
  moment: "One moment",
  looking: "Looking up the account…",
  back: "Back to the order",
  confirmToAsk: "Once you confirm your email, we can email the administrator for you.",
  over: "Nothing to confirm here",
  overWhy: "This order no longer needs confirmation. It may have changed, or the link may have expired.",
  anotherLink: "Ask the person who sent you this link for a new one.",
  done: "Confirmed",
  goesOn: "Thank you. The order will continue automatically.",
  canBePaid: "Thank you. The order can now be paid for.",
  mayClose: "You can close this page. We've told the person who asked you.",

  heading: "Confirm the order for <domain>{domain}</domain>",
  theirs: "{company} is ordering for this account. Only its administrator can approve it.",
  yours: "Your order is for this account. Only its administrator can approve it.",
  allows:
    "Once you confirm, {company} can buy for this account at {store} and see what's bought for it through us. {company} can't access the account's email, files or users.",
  signIn: "Sign in as an administrator",
  proven: "Done. You've confirmed that you're an administrator of {domain}.",
  signInAt: "You'll sign in with {place}. We never see your password.",
  signInWith: "Sign in with {place}",
  partner: "Accept {store} as your partner",
  partnerHow:
    "{place} will show you the request. Sign in as the same administrator and accept it. This page updates automatically.",
  openRequest: "Open the request at {place}",
  waiting: "Waiting for your approval",
  afterSignIn: "Available after you sign in.",

  record: "Add a DNS record to the domain",
  recordHow:
    "Add this TXT record in the DNS settings for <domain>{domain}</domain>, then come back and select Check record. The value is valid for 7 days. You can delete the record afterwards.",
  recordName: "Name",
  recordValue: "Value",
  lookUp: "Check record",

  ask: "Ask your administrator",
  askHow:
    "Is someone else the administrator of <domain>{domain}</domain>? We'll email them a link to this page. They won't see your order or its price. Once they confirm, your order continues automatically.",
  asked:
    "We emailed a link to <email>{email}</email>. It's valid for 7 days. If they don't confirm in 7 days, you can send another link.",
  email: "Your administrator's email",
  mailLink: "Email the link",
  mailAnother: "Email another link",
  mailed: "We've emailed a link to {email}.",

  entraRoles: "a Global Administrator or a Billing Administrator",
  personal: "You signed in with a personal {place} account. Please sign in with your work account.",
  otherTenant: "You signed in to a different organisation. Sign in with a {domain} account.",
  guest: "You're a guest in {domain}. Sign in as an administrator who belongs to {domain}.",
  notAdministrator:
    "Your account is not an administrator of {domain}. Please ask your administrator: {roles} can confirm the order.",
  stale: "You signed in to {place} more than {minutes} minutes ago. Please sign in again.",
  cancelled: "You did not finish signing in. Nothing has changed, and you can try again.",
  unavailable: "{place} isn't responding. Try again in a minute.",
  tooOften: "Too many attempts. Please try again in 10 minutes.",
  orderChanged: "The order has changed since you started. Check what it needs now below.",
  notTold: "{place} didn't send the details we need to verify this sign-in. Try again, or contact support.",
  tooLate: "Sign-in timed out. Open the approval page again.",
  readFirst: "Open the approval page and start from there.",
  noLonger: "This order no longer needs approval.",
  nameServers: "We couldn't reach the domain's name servers. Try again in a minute.",
  recordNotSeen:
    "We can't see the record yet. DNS changes usually appear within an hour but can take up to 48 hours. Check the record and try again.",
} as const;
