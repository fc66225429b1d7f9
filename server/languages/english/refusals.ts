/** Why an order cannot be placed, paid or carried out. */
export const refusals = {
  baseNeeded: "You must have base product for purchasing copilot for Microsoft 365",
  noSelection: "Please choose a subscription first.",
  noAccount: "Please tell us who the order is for first.",
  alreadyRefunded: "The payment of this order was refunded. Please order anew.",
  alreadyPaid: "This order is already paid and can no longer be changed.",
  changedElsewhere: "This order was changed in another window. Please check it and try again.",
  paymentInCheck: "A payment for this order has arrived and is being checked, so it stays in your cart.",
  newerOrder: "You have started a newer order for this. It is in your cart.",
  onlyBuyerRemoves: "Only who placed this order can remove its sign-in details.",

  notOpen: "We do not sell {family} in {country} yet.",
  notOpenYet: "We do not sell {family} in {country} yet. We sell it in {countries} today.",
  noCommitment: "This plan is not sold with that commitment.",
  notOnSale:
    "{vendor} does not sell {plan} in {country} at the moment, so we cannot take this order. You have not been charged, and our team has been told. {wayOut}",
  priceWrong:
    "The price of {plan} in {country} has to be corrected, so we cannot take this order. You have not been charged, and our team has been told. {wayOut}",
  chooseAnotherPlan: "Please choose another plan.",
  tryTomorrow: "Please try again tomorrow.",
  lacksBase:
    "Your {vendor} account has no running plan that {plan} can be added to, so we cannot take this order. You have not been charged.",
  priceUnknown:
    "{vendor} does not tell us the price of {plan} at the moment, so we cannot take this order. You have not been charged. Please try again in a few minutes.",
  priceChanged: "Price has changed. Please check the new total below.",
  tooSmall:
    "{count, plural, one {{count} licence comes} other {{count} licences come}} to {total}, but the smallest payment we can take is {least}. Please choose more licences.",
  tooSmallToAdd:
    "{count, plural, one {{count} licence to the end of this term comes} other {{count} licences to the end of this term come}} to {total}, but the smallest payment we can take is {least}. Renew the subscription first and add licences then, or add more of them now.",
  newAgreement: "There is a new version of the {name}. Please read it, and accept the terms again.",
  vendorSilent: "{vendor} did not answer. Please try again in a minute.",

  newTenantAddress: "A new tenant is made for your company's address. {problem}",
  tenantElsewhere:
    "{domain} was bought in {country}, and can be added to there only. Please choose another, or contact us.",
  soldOnce: "{domain} has {plan} already. For more licences, choose Buy more beside it in My Subscriptions.",
  thisSubscription: "This subscription",
  has: "{name} has {count, plural, one {{count} licence} other {{count} licences}}",
  hasWithAddOn:
    "{name} has {count, plural, one {{count} licence} other {{count} licences}}, {held} of them with {addOn} already",
  hasOfMost:
    "{name} has {count, plural, one {{count} licence} other {{count} licences}} and can have up to {most}",
  full: "{has}: {room}.",
  fullForNow:
    "{has}. {open, plural, one {{open} more is} other {{open} more are}} at the checkout in another order: until it is paid, or for 30 minutes, {room}.",
  fullAfterPayment: "{has}, so there is no room for {count} more.",
  room: "you can add up to {count}",
  noRoom: "you can add no more",

  renewalUnderWay:
    "A renewal of this subscription has been paid and is being carried out. Please look again in a minute.",
  renewedSince: "This subscription has been renewed since this order was begun.",
  stuck:
    "Our team is looking into an earlier order for this subscription, and until that is done it cannot be changed.",

  unconfirmed:
    "We could not confirm this payment. If your card was charged, your order goes on by itself in a few minutes: please do not pay again.",
  unsuccessful: "The payment was not successful.",
  uncaptured: "The payment has not been captured yet.",
  unchecked: "The payment could not be checked yet.",
  paidTwice: "The order was already paid.",
  refundedByUs: "We gave this money back to you.",
  refundedBefore: "An earlier payment for this order was refunded too.",
  otherOrder: "It was made for another order.",
  otherCurrency: "Paid in {paid} instead of {asked}.",
  otherAmount: "Paid {paid} instead of {asked} {currency}.",
  retrySilent: "Retry failed: the payment provider did not answer. Please try again in a minute.",
  retryRefused: "Retry failed: Backend validation failed.",
} as const;
