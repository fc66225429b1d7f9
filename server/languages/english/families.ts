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
  unknownDomain: "Microsoft does not know this domain. Please check the username.",
  nameTaken: "{domain} is not available.",
  otherStep: "These sign-in details do not fit this order.",
  beingSetUp: "This order is already being set up.",
  mustConfirm:
    "Before you pay, an administrator of {domain} must confirm this order. Nothing has been charged.",
  hasToConfirm: "An administrator of {domain} has to confirm this order.",
  heldElsewhere:
    "We cannot add this order to that account by ourselves. Our team has been told and will write to you. Meanwhile you can choose another account.",
  paused:
    "{family} does not take orders from us at the moment. Your payment is safe, and your order goes on by itself.",

  lostAccount: "Microsoft does not let us reach this account. Its administrator has to approve us again.",
  underReview:
    "Microsoft reviews new customers before their first order, and yours is under review. That can take several days. Your order goes on by itself after it.",
  reviewRefused: "Microsoft has reviewed your company's details and does not accept the order.",
  registrationRefused: "Microsoft does not accept your company's registration number.",
  phoneRefused: "Microsoft does not accept your company's phone number.",
  quantityRefused: "Microsoft does not sell this number of licences to one company.",
  baseMissing: "The Microsoft account has no running plan that this add-on can be added to.",

  googleKeepsTerm:
    "Google neither cancels nor reduces a subscription before its renewal: what is ordered runs, and is paid for, to the end of its term.",
  brioKeepsTerm: "brio is not cancelled during a term: what is ordered runs to its end.",

  wrongState: "Microsoft does not accept this state. Please check it.",
  wrongPhone: "Microsoft does not accept this phone number. Please check it.",
  wrongNumber: "Microsoft does not accept this {number}. Please check it.",
  checkStreet: "Microsoft cannot find this address. Please check the building and street.",
  checkSecondLine: "Microsoft cannot find this address. Please check the second line.",
  checkCity: "Microsoft cannot find this address. Please check the city.",
  checkState: "Microsoft cannot find this address. Please check the state.",
  checkPostcode: "Microsoft cannot find this address. Please check the {postcode}.",

  tokenMissing:
    "This domain comes from another reseller. Please enter its transfer token, or tick the box if you do not have it yet.",
  ownDomain: "You have this domain with us. Add the plan to it from My Subscriptions, New Subscription.",
  transferNotChecked:
    "Google has not answered, so we could not check the token. Please try again in a few minutes.",
  notRechecked:
    "Google has not answered, so we could not check your domain once more. You have not been charged. Please try again in a few minutes.",
  changed: "{what} You have not been charged. Please check the first step again.",
  domainChanged: "What Google has of {domain} has changed, and so has the price.",
  tokenTooOld: "The transfer token is too old.",
  movesChanged: "What the token moves has changed.",
  tokenRefused:
    "Google did not accept the transfer token. It may be mistyped, used or older than 14 days. Please enter a new one.",
  termsNotAccepted:
    "Google does not move {name}: its terms of service have not been accepted yet. A super administrator has to accept them at admin.google.com. Then enter a new token.",
  planSuspended:
    "Google does not move {name}: the subscription is suspended. Your present reseller has to reactivate it. Then enter a new token.",
  planStays:
    "Google does not move {name}: this plan cannot change resellers. Leave it out when you generate the token. Then enter a new token.",
  notMoved:
    "Google does not move {name}: Google gives no reason. Please ask your present reseller. Then enter a new token.",
  movesTogether:
    "This token moves {all} together, and an order here is for one plan. Generate a token for {plan} alone, and order the others with tokens of their own.",
  movesOther:
    "This token moves {found}, but this order is for {plan}. Generate a token for {plan}, or order {found} if we sell it.",
  notYearly: "Google does not move {name} to a yearly plan, which is how we sell it. Please contact us.",
  movesAtLeast:
    "Google moves {name} with no fewer than {count, plural, one {{count} licence} other {{count} licences}}. Please order as many, or change the number at your present reseller first.",
  movesAtMost:
    "Google moves {name} with no more than {count, plural, one {{count} licence} other {{count} licences}}. Please order as many, or change the number at your present reseller first.",
} as const;
