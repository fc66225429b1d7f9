/** Why an order cannot be placed, paid or carried out. */
export const refusals = {
  baseNeeded: "You must have base product for purchasing copilot for Microsoft 365",
  noSelection: "Please choose a subscription first.",
  billing:
    "These billing details can't be invoiced. {problem} Correct them, then continue with your payment.",
  noAccount: "Please tell us who the order is for first.",
  alreadyRefunded: "This order was refunded. Please place a new order.",
  alreadyPaid: "This order is already paid and can no longer be changed.",
  changedElsewhere: "This order was changed in another window. Please check it and try again.",
  paymentInCheck: "We're checking a payment for this order, so it stays in your cart for now.",
  newerOrder: "You have started a newer order for this. It is in your cart.",
  onlyBuyerRemoves: "Only the person who placed this order can remove its sign-in details.",

  notOpen: "We don't sell {family} in {country} yet.",
  notOpenYet: "We don't sell {family} in {country} yet. We sell it in {countries} today.",
  noCommitment: "This plan isn't available with that commitment.",
  notOnSale:
    "{vendor} isn't selling {plan} in {country} right now, so we can't take this order. You haven't been charged, and our team has been notified. {wayOut}",
  priceWrong:
    "We need to correct the price of {plan} in {country}, so we can't take this order yet. You haven't been charged, and our team has been notified. {wayOut}",
  chooseAnotherPlan: "Please choose another plan.",
  tryTomorrow: "We'll correct this as soon as we can. Contact us if your renewal is due soon.",
  lacksBase:
    "Your {vendor} account has no active plan that works with {plan}, so we can't take this order. You haven't been charged. Buy a plan it works with first.",
  priceUnknown:
    "We can't get the price of {plan} from {vendor} right now, so we can't take this order. You haven't been charged. Please try again in a few minutes.",
  totalChanged: "Price has changed from {before} to {after}. Please check the new total below.",
  priceChanged: "Price has changed. Please check the new total below.",
  tooSmall:
    "{count, plural, one {{count} license comes} other {{count} licenses come}} to {total}, but the smallest payment we can take is {least}. Please choose more licenses.",
  tooSmallToAdd:
    "{count, plural, one {{count} license until the end of this term comes} other {{count} licenses until the end of this term come}} to {total}, but the smallest payment we can take is {least}. Renew the subscription first and add licenses then, or add more of them now.",
  newAgreement: "There is a new version of the {name}. Please read it, and accept the terms again.",
  vendorSilent: "{vendor} isn't responding. Please try again in a minute.",

  newTenantAddress: "A new account is created with your company's address. {problem}",
  tenantElsewhere:
    "{domain} was bought in {country}, so you can only add to it from our {country} store. Choose another account, or contact us.",
  soldOnce: "{domain} already has {plan}. To add licenses, select Buy more next to it in My Subscriptions.",
  thisSubscription: "This subscription",
  has: "{name} has {count, plural, one {{count} license} other {{count} licenses}}",
  hasWithAddOn:
    "{name} has {count, plural, one {{count} license} other {{count} licenses}}, {held} of them with {addOn} already",
  hasOfMost:
    "{name} has {count, plural, one {{count} license} other {{count} licenses}} and can have up to {most}",
  full: "{has}: {room}.",
  fullForNow:
    "{has}. {open, plural, one {{open} more is} other {{open} more are}} at the checkout in another order: until it is paid, or for 30 minutes, {room}.",
  fullAfterPayment: "{has}, so there is no room for {count} more.",
  room: "you can add up to {count}",
  noRoom: "you can't add more",

  renewalUnderWay:
    "A renewal of this subscription is paid for and being processed. Please check again in a minute.",
  renewedSince: "This subscription has been renewed since you started this order.",
  stuck:
    "Our team is looking into an earlier order for this subscription. You can't change it until that's resolved. Contact us if it's urgent.",

  unconfirmed:
    "We couldn't confirm this payment. If your card was charged, your order continues once the payment is confirmed, usually within a few minutes. Please don't pay again.",
  unsuccessful: "The payment was not successful.",
  uncaptured: "The payment hasn't been completed yet.",
  unchecked: "We couldn't check the payment yet.",
  paidTwice: "The order was already paid.",
  refundedByUs: "We refunded this payment.",
  refundedUnsettled: "The payment was refunded before it reached the order.",
  refundedBefore: "An earlier payment for this order was refunded too.",
  otherOrder: "It was made for a different order.",
  otherCurrency: "Paid in {paid} instead of {asked}.",
  otherAmount: "Paid {paid} instead of {asked} {currency}.",
  retrySilent: "Retry failed: the payment provider did not answer. Please try again in a minute.",
  retryRefused: "Retry failed: Backend validation failed.",
} as const;
