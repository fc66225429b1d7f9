/** What the server says of a family's steps: headings, refusals, and notes to the buyers of paid orders. */
export const families = {
  setUp: "Set up your Subscription",
  setUpGoogle: "Set up your Google Subscription",

  usernameRequired: "Username field is required.",
  usernameTooLong: "Username is too long.",
  usernameEnding: "The username must end with .onmicrosoft.com",
  usernameOneAt: "The username must have exactly one @",
  usernameBeforeAt: "Please enter the part before the @, without spaces",
  usernameAfterAt: "Use letters, digits and hyphens between the @ and .onmicrosoft.com",
  googlePassword:
    "Password must be at least 8 characters long, include at least one uppercase letter, one lowercase letter, one number, and one special character.",
  timedOut:
    "We did not receive a Microsoft partner relationship approval for this username's account. If you have an account, please try again below and retype your current account's username. If you do not have an account, please select \"I do not have a Microsoft 365 account\" to create an account",
  unknownDomain: "Microsoft doesn't recognise this domain. Check the username.",
  nameTaken: "{domain} is not available.",
  otherStep: "These sign-in details don't match this order.",
  beingSetUp: "This order is already being set up.",
  mustConfirm:
    "Before you pay, an administrator of {domain} must confirm this order. Nothing has been charged.",
  hasToConfirm: "An administrator of {domain} needs to confirm this order.",
  heldElsewhere:
    "We can't add this order to that account automatically. Our team has been notified and will contact you. You can also choose another account.",
  paused:
    "{family} isn't accepting orders from us right now. Your payment is safe, and your order will continue automatically as soon as it does. We'll email you when it's done.",

  lostAccount: "We no longer have access to this Microsoft account. Contact us for a new approval link.",
  underReview:
    "Microsoft is reviewing your company, as it does with new customers. This can take several days. Your order will continue automatically once you're approved. We'll email you when it's done.",
  reviewRefused:
    "Microsoft reviewed your company's details and declined the order. We'll email you what we need, or refund you.",
  registrationRefused:
    "Microsoft didn't accept your company's registration number. We'll email you what we need, or refund you.",
  phoneRefused:
    "Microsoft didn't accept your company's phone number. We'll email you what we need, or refund you.",
  quantityRefused:
    "Microsoft doesn't sell this many licenses to one company. We'll email you what we need, or refund you.",
  baseMissing: "The Microsoft account has no active plan that works with this add-on.",

  googleKeepsTerm:
    "Google subscriptions can't be cancelled or reduced before renewal. You pay for what you ordered until the end of the term.",
  brioKeepsTerm:
    "brio subscriptions can't be cancelled during a term. What you ordered runs until the term ends.",

  wrongState: "Microsoft doesn't accept this state. Check it.",
  wrongPhone: "Microsoft doesn't accept this phone number. Check it.",
  wrongNumber: "Microsoft doesn't accept this {number}. Check it.",
  panNeeded:
    "Microsoft registers companies by their PAN, and this GST number doesn't contain one. Enter your PAN here and the GST number in its own field.",
  checkStreet: "Microsoft can't find this address. Check the building and street.",
  checkSecondLine: "Microsoft can't find this address. Check the second line.",
  checkCity: "Microsoft can't find this address. Check the city.",
  checkState: "Microsoft can't find this address. Check the state.",
  checkPostcode: "Microsoft can't find this address. Check the {postcode}.",

  tokenMissing:
    "This domain comes from another reseller. Please enter its transfer token, or tick the box if you don't have it yet.",
  ownDomain:
    "You already have this domain with us. To add this plan, go to My Subscriptions and select New Subscription.",
  transferNotChecked: "Google isn't responding, so we couldn't check the token. Try again in a few minutes.",
  notRechecked:
    "Google isn't responding, so we couldn't recheck your domain. You haven't been charged. Try again in a few minutes.",
  changed: "{what} You have not been charged. Please check the first step again.",
  domainChanged: "Google's records for {domain} have changed, and so has the price.",
  tokenTooOld: "The transfer token has expired.",
  movesChanged: "What the token transfers has changed.",
  tokenRefused:
    "Google didn't accept the transfer token. It may be mistyped, already used or more than 14 days old. Enter a new one.",
  termsNotAccepted:
    "Google can't transfer {name} because its terms of service haven't been accepted. Ask a super administrator to accept them at admin.google.com, then enter a new token.",
  planSuspended:
    "Google can't transfer {name} because the subscription is suspended. Ask your current reseller to reactivate it, then enter a new token.",
  planStays:
    "Google can't transfer {name}: this plan can't change resellers. Leave it out when you generate the token, then enter the new token.",
  notMoved:
    "Google can't transfer {name} and gave no reason. Ask your current reseller, then enter a new token.",
  movesTogether:
    "This token transfers {all} together, but each order here is for one plan. Generate a token for {plan} only, and order the others with their own tokens.",
  movesOther:
    "This token moves {found}, but this order is for {plan}. Generate a token for {plan}, or contact us at {email} to order {found} instead.",
  notYearly:
    "Google can't transfer {name} to an annual plan, which is how we sell it. Contact us at {email}.",
  movesAtLeast:
    "Google transfers {name} with at least {count, plural, one {{count} license} other {{count} licenses}}. Order at least that many, or ask your current reseller to change the number first.",
  movesAtMost:
    "Google transfers {name} with at most {count, plural, one {{count} license} other {{count} licenses}}. Order no more than that, or ask your current reseller to change the number first.",
} as const;
