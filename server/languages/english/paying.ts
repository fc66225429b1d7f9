/** Ways to pay, and paying through a payment link or by bank transfer: on the page, in mails and on the proforma. */
export const paying = {
  card: "card",
  upi: "UPI",
  netbanking: "net banking",
  wallet: "wallet",
  link: "payment link",
  transfer: "bank transfer",
  payBy: "Pay by {methods}",

  anotherWay: "Pay another way",
  byTransfer: "Pay by bank transfer",
  openProforma: "Open the proforma",
  writeToUs: "Write to us",
  aboveCeiling:
    "{total} is more than one payment by {methods} can be: {most} is the most. Pay it by {instead}.",
  aboveCeilingHere:
    "{total} is more than one payment by {methods} can be: {most} is the most. Write to us, and we arrange the payment with you.",
  notInCheckout: "This order is paid by {instead}.",
  notHere: "This order cannot be paid here. Write to us, and we arrange the payment with you.",
  noLink: "This order cannot be paid through a payment link.",
  noTransfer: "Orders cannot be paid by bank transfer here.",
  partIn: "{received} has arrived by bank transfer. Please transfer the rest: the proforma says how much.",

  wayIntro:
    "We make a proforma with a bank account of its own for this order. You transfer {total} by NEFT, RTGS or IMPS, in one payment or several, and we email you once all of it has arrived.",
  wayPrice: "{days, plural, one {The price holds for {days} day.} other {The price holds for {days} days.}}",
  wayTds:
    "If your company deducts TDS ({rates} of the value before tax), transfer the rest and send us the certificate later.",
  wayYourTds:
    "Your company withholds {rate} of the value before tax: then transfer {amount}, and send us the certificate.",
  makeProforma: "Make the proforma",

  byLink: "Pay through a payment link",
  linkIntro:
    "We mail a link to {email}. It opens Razorpay's page for {total} in any browser and on any device, and we email you once it is paid.",
  sendLink: "Send me a payment link",
  yourLink: "Your payment link",
  linkSent: "We mailed the link to {email}. It works until {date}, and we email you once it is paid.",
  openLink: "Open the payment link",
  linkComing: "We are making your payment link. Please open this page again in a minute.",
  inApp:
    "You are in the browser inside {app}, where banks' pages often do not open. Have a payment link sent to you, and open it in your usual browser.",
  inSomeApp:
    "You are in the browser inside another app, where banks' pages often do not open. Have a payment link sent to you, and open it in your usual browser.",
  linkPaid: "The payment has arrived",
  linkPaidHow:
    "Thank you. Whoever placed the order gets an email and goes on from there. You can close this page.",
  linkFailed: "The payment was not successful",
  linkFailedHow: "{why} You have not been charged. Open the link in your mail to try again.",
  linkFailedWhy: "{why} You have not been charged.",
  tryAgain: "Try again",
  linkChecked: "The payment is being checked",

  backToReview: "Back to the review",

  proforma: "Proforma invoice",
  proformaNumber: "Proforma number",
  proformaDate: "Date",
  validUntil: "Valid until",
  beneficiary: "Beneficiary",
  accountNumber: "Account number",
  ifsc: "IFSC",
  bank: "Bank",
  toTransfer: "Amount to transfer",
  reference: "Reference",
  notTaxInvoice:
    "This is not a tax invoice. The tax invoice follows when the payment has arrived. The account is for this order alone.",

  opening: "We are opening the account. Please open this page again in a minute.",
  waiting: "We are waiting for your transfer of {total}. Reload this page to see what has arrived.",
  waitingLate:
    "This proforma was valid until {date}. A transfer that still arrives is accepted if the price is the same; otherwise we write to you.",
  arrivedPart: "{received} has arrived. {missing} is missing: transfer it to the same account.",
  arrivedAll: "Your payment has arrived in full. {next}",
  arrivedOver: "Your payment has arrived. {next} You transferred {surplus} too much: we give it back.",
  arrivedShort:
    "Your payment has arrived. {next} {withheld} is missing, which we take for TDS: please send us the certificate when you have it.",
  orderGoesOn: "Your order goes on.",
  orderWaits: "Your order waits for you: choose the account it is for.",
  arrivedCertified:
    "Your payment has arrived, and the certificate for {withheld} of TDS too. Nothing is open for this order.",
  held: "Your transfer has arrived, but we could not accept it yet: {problem} Our team has been told and writes to you.",
  givenBack:
    "This order could no longer be carried out, so your money goes back to the account it came from.",
  replaced: "This order was changed after the proforma was made. Please do not pay this one.",
  continueOrder: "Continue with the order",
  late: "It came after {date}, when the price had changed.",
  partWaits: "{missing} is still missing.",

  mailSubject: "Proforma for {name}: transfer {total}",
  mailPreheader: "The account, the amount and the reference. Valid until {date}.",
  mailHow:
    "Please transfer {total} by NEFT, RTGS or IMPS to the account below. It belongs to this order alone.",
  mailThen: "We email you once all of it has arrived. The price holds until {date}.",
  mailPdf: "Proforma as PDF",
  linkSubject: "Payment link for {name}: {total}",
  linkPreheader: "It works until {date}, in any browser.",
  linkHow:
    "Please pay {total} through this link. It is for this order alone, and may be passed on to whoever pays for your company.",
  linkThen: "We email you once it is paid. The link works until {date}.",
  payTotal: "Pay {total}",
  linkAside: "Other ways to pay",
  partSubject: "Part of your payment has arrived: {received} of {total}",
  partHow: "{missing} is missing. Please transfer it to the same account.",
  inSubject: "Your payment for {name} has arrived",
  inPreheader: "{received} has arrived.",
  heldSubject: "We could not accept your transfer for {name} yet",
  certificateSubject: "Please send us the TDS certificate for {name}",
  certificatePreheader: "{withheld} was deducted from your transfer.",
  certificateWhat:
    "Your transfer for this order, of {date}, was {withheld} short, which we took for TDS. The certificate for it was due on {due}.",
  certificateHow:
    "Please send it to {email} with the order number. If nothing was deducted, please write to us: the amount is then still to be paid.",
} as const;
