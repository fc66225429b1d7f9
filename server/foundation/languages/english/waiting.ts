/** The pages of a paid order: under way, in a person's hands, refunded. */
export const waiting = {
  thanks: "Thank you for your order",
  adding: "We are adding product to your account. This may take a minute.",
  renewing: "We are renewing your subscription. This may take a minute.",
  movesOn:
    "This page updates automatically. You can also close it: we'll email you when everything is ready.",
  working: "Working",
  lookingAfter: "We're working on your order",
  safe: "Your payment is safe. Our team has been told and is working on your order. You don't need to do anything, and you will not be charged again.",
  willMail: "We will email you as soon as it is done. Your order number is <number>{number}</number>.",
  correction: "We need corrected details for your order",
  correctionSafe: "{problem} Your payment is safe, and you will not be charged again.",
  sendDetails:
    "Please send our team the correct details and your order number, <number>{number}</number>. We'll then complete your order, or refund you.",
  contact: "Contact support",
  refunded: "Your payment has been refunded in full",
  couldNot: "We received your payment but couldn't complete this order. {reason}",
  goesBack:
    "Nothing was bought. We're refunding the full <amount>{amount}</amount> to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  mailed: "We've emailed this to {email}. Your order number is <number>{number}</number>.",
  subscriptions: "My Subscriptions",
  notAgain: "{problem} You will not be charged again.",
} as const;
