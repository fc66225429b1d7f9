/** Ways to pay, and paying through a payment link or by bank transfer: on the page, in mails and on the proforma. */
export const paying = {
  card: "card",
  upi: "UPI",
  netbanking: "net banking",
  wallet: "wallet",
  link: "payment link",
  transfer: "bank transfer",
  upiCode: "UPI QR code",
  cardName: "Card",
  netbankingName: "Net banking",
  walletName: "Wallet",
  payLater: "Pay later",
  methodsTitle: "Payment methods",
  methodsLead: "These are the ways to pay for an order in {country}.",
  taken: "Accepted",
  takenUpTo: "Accepted, up to {most} a payment",
  takenByLink: "Accepted through a payment link",
  notTaken: "Not accepted",
  exampleTitle: "An example",
  exampleBill: "You can pay a bill of {amount} by {methods}.",
  payBy: "Pay by {methods}",
  tooMuchFor: "Over the limit for one payment: {ways}.",
  upTo: "{method} (up to {most})",

  anotherWay: "Pay another way",
  byTransfer: "Pay by bank transfer",
  openProforma: "Open proforma invoice",
  correctBilling: "Correct the billing details",
  ownerCorrectsBilling:
    "Only an owner of your company can correct them, on the Company page. Ask one, then open this page again.",
  writeToUs: "Email us",
  aboveCeiling: "{total} is over the limit of {most} for a payment by {methods}. Pay by {instead}.",
  aboveCeilingHere:
    "{total} is over the limit of {most} for a payment by {methods}. Email us and we'll arrange payment with you.",
  notInCheckout: "Pay for this order by {instead}.",
  notHere: "This order can't be paid for here. Email us and we'll arrange payment with you.",
  noLink: "This order cannot be paid through a payment link.",
  noTransfer: "Bank transfer isn't available here.",
  partIn:
    "We've received {received} by bank transfer. Please transfer the rest: the proforma invoice shows how much.",

  wayQuestion: "How do you want to pay?",
  wayIntro:
    "Transfer {total} by NEFT, RTGS or IMPS, in one or more payments, to a bank account just for this order. You get its details and a proforma invoice. We'll email you when we've received it all.",
  wayPrice:
    "{days, plural, one {The price is valid for {days} day.} other {The price is valid for {days} days.}}",
  wayTds:
    "If your company deducts TDS ({rates} of the value before tax), transfer the rest and send us the certificate later.",
  wayYourTds:
    "Your company deducts {rate} of the value before tax, so transfer {amount} and send us the certificate.",
  makeProforma: "Get bank details",

  byLink: "Pay with a payment link",
  linkIntro:
    "We'll email a link to {email}. It opens Razorpay's page for {total} in any browser, on any device. We'll email you when it's paid.",
  sendLink: "Send me a payment link",
  yourLink: "Your payment link",
  linkSent: "We've emailed the link to {email}. It works until {date}. We'll email you when it's paid.",
  openLink: "Open the payment link",
  linkComing: "We're creating your payment link. Reload this page in a minute.",
  linkRefused:
    "We couldn't create a payment link for this order. You have not been charged. Choose another way to pay.",
  transferRefused:
    "We couldn't open a bank account for this order. You have not been charged. Choose another way to pay.",
  checkoutRefused:
    "We couldn't open the checkout for this order. You have not been charged. Choose another way to pay, or contact support.",
  notWorking:
    "Payments don't work at the moment because of a fault on our side. You have not been charged. We have alerted our team. Try again later.",
  inApp:
    "You're in {app}'s built-in browser, where bank pages often don't open. Get a payment link and open it in your usual browser.",
  inSomeApp:
    "You're in an app's built-in browser, where bank pages often don't open. Get a payment link and open it in your usual browser.",
  linkPaid: "Payment received",
  linkPaidHow:
    "Thank you. We'll email the person who placed the order so they can continue. You can close this page.",
  linkFailed: "The payment was not successful",
  linkFailedHow: "{why} You have not been charged. Open the link in your email to try again.",
  linkFailedWhy: "{why} You have not been charged.",
  tryAgain: "Try again",
  linkChecked: "Checking your payment",

  backToReview: "Back to the review",

  transferTo: "Transfer to this account",
  daysLeft: "{days, plural, one {{days} day left} other {{days} days left}}",
  arrivedOf: "{received} of {total} arrived",

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
    "This is not a tax invoice. We issue the tax invoice when we receive your payment. This account is for this order only.",

  opening: "We're opening the bank account. Reload this page in a minute.",
  isAwaited: "Waits for your transfer, until {date}",
  isLate: "Waited for your transfer until {date}",
  isAwaitedAlready:
    "{state}. If you've already sent it, don't pay again here. Your order continues when the transfer arrives.",
  isAwaitedFor: "{name}, {total}: {state}",
  waiting: "We are waiting for your transfer of {total}. Reload this page to see what has arrived.",
  waitingLate:
    "This proforma was valid until {date}. We'll accept a late transfer if the price is the same; otherwise we'll contact you.",
  arrivedPart: "We've received {received}. {missing} is still due: transfer it to the same account.",
  arrivedAll: "We've received your payment in full. {next}",
  arrivedOver: "We've received your payment. {next} You transferred {surplus} too much, which we'll refund.",
  arrivedShort:
    "We've received your payment. {next} It's {withheld} short, which we take to be TDS. Please send us the certificate when you have it.",
  orderGoesOn: "Your order is being processed.",
  orderWaits: "Next, choose the account it's for.",
  arrivedCertified:
    "We've received your payment and the certificate for {withheld} of TDS. Nothing is outstanding for this order.",
  held: "We've received your transfer but couldn't accept it yet: {problem} Your money is safe. We'll email you the next step; you don't need to transfer anything again.",
  givenBack: "We couldn't complete this order, so we're refunding the account your money came from.",
  replaced: "This order changed after the proforma was created. Please don't pay this one.",
  continueOrder: "Continue with the order",
  late: "It arrived after {date}, when the price had changed.",
  partWaits: "{missing} is still due.",

  mailSubject: "Proforma invoice for {total}: {name}",
  mailPreheader: "The account, the amount and the reference. Valid until {date}.",
  mailHow: "Please transfer {total} by NEFT, RTGS or IMPS to the account below. It's for this order only.",
  mailThen: "We'll email you when we've received it all. The price is valid until {date}.",
  mailPdf: "Proforma invoice (PDF)",
  linkSubject: "Payment link for {total}: {name}",
  linkPreheader: "It works until {date}, in any browser.",
  linkHow:
    "Please pay {total} using this link. It's for this order only, and you can forward it to the person who pays for your company.",
  linkThen: "We'll email you when it's paid. The link works until {date}.",
  payTotal: "Pay {total}",
  linkAside: "Other ways to pay",
  partSubject: "Part of your payment received: {received} of {total}",
  partHow: "{missing} is still due. Please transfer it to the same account.",
  inSubject: "Payment received for {name}",
  inPreheader: "We've received {received}.",
  heldSubject: "We could not accept your transfer for {name} yet",
  certificateSubject: "Please send us the TDS certificate for {name}",
  certificatePreheader: "{withheld} was deducted from your transfer.",
  certificateWhat:
    "Your transfer for this order on {date} was {withheld} short, which we took to be TDS. Its certificate was due on {due}.",
  certificateHow:
    "Please email it to {email} with the order number. If you didn't deduct TDS, let us know: the amount is then still due.",
} as const;
