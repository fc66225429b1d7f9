/** The sign-in steps, and what a family asks of a domain or a new account's name. */
export const signIn = {
  whichAccount: "Which account should we add the subscription to?",
  haveNone: "I do not have a Microsoft 365 account",
  haveNoneHint: "We create one for you.",
  haveOne: "I have a Microsoft 365 account",
  haveOneHint: "Its administrator confirms the order at Microsoft, and the subscription is added to it.",
  existingUsername: "Existing username",
  existingUsernameHint: "An administrator's username, ending with .onmicrosoft.com",

  checking:
    "We are checking if you approved the Microsoft partner relationship request. This will take a minute",
  openApproval: "Open the approval page",
  signInThere: "Sign in there as <name>{username}</name>, an administrator, and accept us as your partner.",
  comeBack: "Come back here. This page moves on by itself within ten minutes.",
  somebodyElse: "Somebody else administers <domain>{domain}</domain>? <link>Ask your administrator</link>",
  asked:
    "We have emailed a link to <email>{email}</email>. Your order waits until they have confirmed it, and then goes on by itself.",
  needNotWait:
    "You don't need to wait here: we will email you when it is done. The link works until {until}.",
  noAnswer:
    "No answer? <ask>Email another link</ask>, or if you administer <domain>{domain}</domain> yourself, <open>open the approval page</open>.",
  checkAgain: "Check again",
  anotherAccount: "Use another account",
  waitingForYou: "Waiting for your approval",
  waitingForAdministrator: "Waiting for your administrator",

  yourDomain: "Your domain: <domain>{domain}</domain>",
  hasAccount: "This domain already has a Google account. With its transfer token it moves to us.",
  firstAdministrator: "Choose the first administrator. Sign in with this account to add your colleagues.",
  password: "Password",
  passwordHint:
    "At least 8 characters, using only letters, digits and @$!%*?&. Include an upper-case letter, a lower-case letter, a digit and one of those symbols.",

  otherReseller: "The domain is with another reseller?",
  movesToUs:
    "With its transfer token it moves to us. We ask Google which subscription moves and with how many licences, before you pay.",
  transferToken: "Transfer token",
  tokenKept: "We have a token for this domain. Leave this empty to keep it.",
  tokenLater: "I do not have the token yet",
  tokenLaterHint:
    "You enter it after the payment. If it then moves anything else than this order, nothing moves until it fits.",
  transferSignIn: "Sign in to the Google admin console as a super administrator of {domain}.",
  transferSignInAny: "Sign in to the Google admin console as a super administrator of the domain.",
  transferMenus: "Open Billing, then Subscriptions, and choose Transfer to a reseller.",
  transferChoose:
    "Choose the plan you order here, and no other. Generate the transfer token, copy it, and paste it here. It is valid for 14 days.",

  notADomain: "Please enter a valid domain (e.g., yourcompany.com)",
  domainAvailable: "Domain available!",
  domainTaken: "This domain is not available for signup. Please choose a different domain.",
  domainTransferable: "This domain is already registered and can be transferred to us with a transfer token.",
  domainNotChecked: "an error occurred while validating the domain",
  prefixTaken: "domain is not available",
  prefixRule: "Use letters and digits only, up to 27: no hyphens or spaces",
} as const;
