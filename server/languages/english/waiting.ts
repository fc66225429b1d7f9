/** The pages of a paid order: under way, in a person's hands, refunded. */
export const waiting = {
  thanks: "Thank you for your order",
  adding: "We are adding product to your account. This may take a minute.",
  renewing: "We are renewing your subscription. This may take a minute.",
  movesOn: "This page moves on by itself. You may also close it: we will email you when everything is ready.",
  working: "Working",
  lookingAfter: "We are looking after your order",
  safe: "Your payment is safe. Our team has been told and is working on your order. You don't need to do anything, and you will not be charged again.",
  willMail: "We will email you as soon as it is done. Your order number is <number>{number}</number>.",
  correction: "Your order needs a correction",
  correctionSafe: "{problem} Your payment is safe, and you will not be charged again.",
  sendDetails:
    "Please send our team the right details, with your order number <number>{number}</number>. We put it right and go on, or give the money back.",
  contact: "Contact support",
  refunded: "Your payment is refunded in full",
  couldNot: "Your payment arrived, but this order could no longer be carried out. {reason}",
  goesBack:
    "Nothing was bought. All of it, <amount>{amount}</amount>, goes back to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  mailed: "We have emailed this to {email}. Your order number is <number>{number}</number>.",
  subscriptions: "My Subscriptions",
  notAgain: "{problem} You will not be charged again.",
} as const;
