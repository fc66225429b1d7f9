/** Why a payment was not taken, and what to do about it. */
export const declines = {
  bank: "Your bank declined the payment. Try another card or payment method, or contact your bank.",
  funds: "There isn't enough money or credit available. Try another card or account.",
  identity: "Your bank couldn't verify you. Try again with the code it sends you.",
  details: "The card details are incorrect. Check the number, expiry date and CVV.",
  expired: "The card has expired. Please try another card.",
  blocked: "The card is blocked, or not enabled for online payments. Ask your bank, or try another card.",
  abroad: "The card doesn't allow international payments. Ask your bank, or try another card.",
  limit: "The amount is over your card or account limit. Contact your bank, or try another payment method.",
  cancelled: "The payment was cancelled.",
  late: "The payment timed out.",
  technical: "The bank or the payment network had a technical problem. Please try again in a few minutes.",
  risk: "A security check stopped the payment. Try another card or payment method.",
  unknown: "The bank didn't give a reason. Try another card or payment method, or contact your bank.",
  inWords: "{why}",
} as const;
