/** The page of a tenant's administrator. */
export const approval = {
  title: "Confirm an order",
  moment: "One moment",
  looking: "We are looking for the account.",
  back: "Back to the order",
  over: "Nothing to confirm here",
  overWhy:
    "The order no longer waits for this: it was changed, the time for it is over, or the link is too old.",
  anotherLink: "Whoever sent you the link can send another.",
  done: "Confirmed",
  goesOn: "Thank you. The order goes on by itself.",
  canBePaid: "Thank you. The order can now be paid for.",
  mayClose: "You may close this page. We have told whoever asked you.",

  heading: "Confirm the order for <domain>{domain}</domain>",
  theirs: "{company} is ordering for this account. Only its administrator can approve it.",
  yours: "Your order is for this account. Only its administrator can approve it.",
  allows:
    "Once this is confirmed, {company} can buy for the account at {store}, and sees what is bought for it through us. {company} gets no access to the account's mail, files or people.",
  signIn: "Sign in as an administrator",
  proven: "Done. You have shown that you administer {domain}.",
  signInAt: "You sign in at {place}. We never see your password.",
  signInWith: "Sign in with {place}",
  partner: "Accept {store} as your partner",
  partnerHow:
    "{place} shows you the request. Sign in there as the same administrator, and accept it. This page moves on by itself.",
  openRequest: "Open the request at {place}",
  waiting: "Waiting for your approval",
  afterSignIn: "This comes after the sign-in.",

  record: "Add a record to the domain",
  recordHow:
    "Add this TXT record where the DNS of <domain>{domain}</domain> is managed, then come back and press the button. The value works for 7 days, and you can delete the record afterwards.",
  recordName: "Name",
  recordValue: "Value",
  lookUp: "Look for the record",

  ask: "Ask your administrator",
  askHow:
    "Somebody else administers <domain>{domain}</domain>? We will email them a link to this page. They won't see your order or its price. Once they confirm, your order continues automatically.",
  asked: "A link was emailed to <email>{email}</email>. It works for 7 days.",
  email: "Your administrator's email",
  mailLink: "Email the link",
  mailAnother: "Email another link",
  mailed: "We have emailed a link to {email}.",

  entraRoles: "a Global Administrator or a Billing Administrator",
  personal: "You signed in with a personal {place} account. Please sign in with your work account.",
  otherTenant: "You signed in to another organisation. Please sign in with an account of {domain}.",
  guest: "You are a guest in {domain}. Please sign in as one of its own administrators.",
  notAdministrator:
    "Your account is not an administrator of {domain}. Please ask your administrator: {roles} can confirm the order.",
  stale: "You signed in to {place} more than {minutes} minutes ago. Please sign in again.",
  cancelled: "You did not finish signing in. Nothing has changed, and you can try again.",
  unavailable: "{place} did not answer. Please try again in a minute.",
  tooOften: "Too many attempts. Please try again in 10 minutes.",
  orderChanged: "Meanwhile the order was changed. Please check below what it needs now.",
  notTold: "{place} did not tell us enough about this sign-in. Please try again, or contact support.",
  tooLate: "Signing in took too long. Please open the approval page again.",
  readFirst: "Please read the page first, and begin from there.",
  noLonger: "This order does not wait for an approval any more.",
  nameServers: "The name servers did not answer. Please try again in a minute.",
  recordNotSeen:
    "We do not see the record yet. A new record can take up to an hour to be seen everywhere. Please check it and try again.",
} as const;
