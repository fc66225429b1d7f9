/** Why a payment was not taken, and what to do about it. */
export const declines = {
  bank: "Your bank declined the payment. Try another card or another way to pay, or ask your bank.",
  funds: "There is not enough money or credit for it. Try another card or account.",
  identity: "Your bank could not confirm that it was you. Try again with the code that it sends you.",
  details: "The card details were not right. Please check the number, the expiry date and the CVV.",
  expired: "The card has expired. Please try another card.",
  blocked: "The card is blocked, or not enabled for online payments. Ask your bank, or try another card.",
  abroad: "The card does not allow international payments. Ask your bank, or try another card.",
  limit: "It is above a limit of your card or account. Ask your bank, or try another way to pay.",
  cancelled: "It was cancelled before it was finished.",
  late: "It was not finished in time.",
  technical: "The bank or the payment network had a technical problem. Please try again in a few minutes.",
  risk: "A security check stopped it. Try another card or another way to pay.",
  unknown: "We were not told why.",
  inWords: "{why}",
} as const;
