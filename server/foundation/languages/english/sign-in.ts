/** The sign-in steps, and what a family asks of a domain or a new account's name. */
export const signIn = {
  whichAccount: "Which account should we add the subscription to?",
  knownHint: "{name}. Already linked to us, so nobody has to approve it.",
  haveNone: "I do not have a Microsoft 365 account",
  haveNoneHint: "We create one for you.",
  haveOne: "I have a Microsoft 365 account",
  haveOneHint: "Its administrator confirms the order with Microsoft, and we add the subscription.",
  existingUsername: "Existing username",
  existingUsernameHint: "An administrator's username, ending with .onmicrosoft.com",

  checking:
    "We are checking if you approved the Microsoft partner relationship request. This will take a minute",
  openApproval: "Open the approval page",
  signInThere: "Sign in there as <name>{username}</name>, an administrator, and accept us as your partner.",
  comeBack:
    "Come back here. This page updates once you've accepted. If nothing happens after ten minutes, select Check again.",
  somebodyElse: "Does someone else administer <domain>{domain}</domain>? <link>Ask your administrator</link>",
  asked:
    "We've emailed a link to <email>{email}</email>. Your order continues automatically once they confirm it. If they don't confirm in 7 days, you can send another link.",
  needNotWait:
    "You don't need to wait here: we will email you when it is done. The link works until {until}.",
  noAnswer:
    "No answer? <ask>Email another link</ask>, or if you administer <domain>{domain}</domain> yourself, <open>open the approval page</open>.",
  checkAgain: "Check again",
  anotherAccount: "Use another account",
  waitingForYou: "Waiting for your approval",
  waitingForAdministrator: "Waiting for your administrator",

  yourDomain: "Your domain: <domain>{domain}</domain>",
  hasAccount: "This domain already has a Google account. Use its transfer token to move it to us.",
  firstAdministrator: "Choose the first administrator. Sign in with this account to add your colleagues.",
  password: "Password",
  passwordHint:
    "At least 8 characters\nAn upper-case letter and a lower-case letter\nA digit\nOne of @$!%*?&, and no other symbol",

  otherReseller: "Is the domain with another reseller?",
  movesToUs:
    "Use its transfer token to move it to us. Before you pay, we ask Google which subscription and how many licenses will move.",
  transferToken: "Transfer token",
  tokenKept: "We have a token for this domain. Leave this empty to keep it.",
  tokenLater: "I don't have the token yet",
  tokenLaterHint: "Enter it after you pay. If it doesn't match this order, nothing moves until it does.",
  transferSignIn: "Sign in to the Google admin console as a super administrator of {domain}.",
  transferSignInAny: "Sign in to the Google admin console as a super administrator of the domain.",
  transferMenus: "Open Billing, then Subscriptions, and choose Transfer to a reseller.",
  transferChoose:
    "Choose only the plan you're ordering here. Generate the transfer token, copy it and paste it here. It's valid for 14 days.",
  transferActive: "The Google account must be active: Google doesn't transfer a suspended domain.",

  failed:
    "Something went wrong. Please try again after sometime or contact support. Exception: request {requestId} failed. Your payment is safe, and you will not be charged again.",

  notADomain: "Please enter a valid domain (e.g., yourcompany.com)",
  domainAvailable: "Domain available!",
  domainTaken: "This domain is not available for signup. Please choose a different domain.",
  domainBlocked: "Please enter a valid domain. {why}",
  domainTransferable: "This domain is already registered and can be transferred to us with a transfer token.",
  domainNotChecked: "an error occurred while validating the domain",
  freeNames: "These names are free. Select one to continue with it.",
  prefixTaken: "domain is not available",
  prefixRule: "Use up to 27 letters and digits, no hyphens or spaces",
} as const;
