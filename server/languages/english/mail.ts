/** Mails to buyers. */
export const mail = {
  questions: "Questions? Write to {email} or call {phone}.",
  questionsByMail: "Questions? Write to {email}.",
  neverAsk: "We never ask for your password.",
  address: "Or open this address:",
  order: "Order {number}. Say this number when you write or call.",
  worksOnceSignsIn: "The link works once, for 7 days, and it signs you in: do not forward it.",
  yourSubscription: "your subscription",
  openOrder: "Open your order",
  invoice: "Your invoice, to read, print or download",
  invoiceReadySubject: "Your invoice {number} is ready",
  invoiceReadyPreheader: "To read, print or download.",
  invoiceReady:
    "Invoice {number} for {name} has been registered with the tax office. It carries the reference number and the QR code that you need to claim the tax.",
  invoiceReadyPlain:
    "Invoice {number} for {name} has been registered with the tax office. It carries the reference number and the QR code of its registration.",
  openInvoice: "Open the invoice",
  billLine: "{name}, {licences}",
  tax: "{name} ({rate}%)",
  rounding: "Rounding",
  paid: "Paid",
  amountBack: "Refund",
  renewalTotal: "Renewal today, with {tax}",
  renewalTotalUntaxed: "Renewal today",

  setPasswordSubject: "Set the password of your {store} account",
  setPasswordPreheader: "One step, and you can sign in again whenever you like.",
  accountMade: "We made an account for you while you were ordering, so that your order is never lost.",
  setPasswordOnce: "Set a password to sign in again later. The link works once, for 7 days.",
  notYourOrder:
    "If you did not start an order with us, ignore this email: nothing has been bought in your name.",
  setPassword: "Set your password",

  resetSubject: "Reset the password of your {store} account",
  resetPreheader: "The link works for one hour.",
  resetAsked: "Someone, probably you, asked to reset your password. The link works once, for one hour.",
  resetNotYou: "If this wasn't you, ignore this email: your password stays the same.",
  newPassword: "Choose a new password",

  confirmSubject: "Confirm your email for {store}",
  confirmPreheader: "Then you can invite colleagues.",
  confirmHow:
    "Choose a password with this link: that confirms this email as yours, and you can invite colleagues then. It works once, for 7 days.",
  confirmSignsOut: "You are signed out everywhere, and sign in again with the new password.",
  confirmNotYou:
    "If you have no account with us, ignore this email. Nobody can do anything in your name without it.",
  confirmEmail: "Confirm your email",

  resumeSubject: "Your order is waiting: {name}",
  resumePreheader: "Go on where you left it, on any device.",
  resumeBegun: "You began an order for {name}. Everything you entered is kept.",
  resumeLink:
    "This link opens it where you left it, on any device. It works once, for 7 days, and it signs you in: do not forward it.",
  continueOrder: "Continue your order",

  signInSubject: "One step left: sign-in details for {name}",
  signInPreheader: "Your payment has arrived. It takes a minute to finish.",
  signInPaid: "Thank you: your payment for {name} has arrived.",
  signInOrderPaid: "Your order of {name} is paid.",
  signInConfirm:
    "An administrator of the account of {username} still has to confirm it. You can do it, or have a link emailed to your administrator.",
  signInMissing: "We still need to know which account to add it to. It takes a minute.",
  finishOrder: "Finish your order",
  chooseAccount: "Choose the account now",

  codeSubject: "Your code to sign in with {provider}",
  codePreheader: "It works once, for {minutes} minutes.",
  code: "Your code is {code}. It works once, for {minutes} minutes, on the page that asked for it.",
  codeWhy:
    "It connects your {provider} account with this email address. Nobody from our team will ever ask you for it.",
  codeNotYou: "If you did not ask for it, ignore this email: without the code nothing happens.",
  codeLabel: "Your code",

  doneSubject: "Your order is complete: {name}",
  addedSubject: "License Added: {name}",
  renewedSubject: "License Renewed: {name}",
  donePreheader: "Order {number}: {licences}, {amount} paid.",
  whereAdded:
    "The licences were added to {account}. Assign them in its admin console, where you sign in as you always do.",
  whereAddedOwn:
    "The licences were added to your account. Assign them in its admin console, where you sign in as you always do.",
  whereRenewed: "{account} goes on as it is: you and your people sign in as you always do.",
  whereRenewedOwn: "Your account goes on as it is: you and your people sign in as you always do.",
  whereExisting: "It was added to the account of {username}. Sign in there as you always do.",
  whereBase: "It was added to {account}. Sign in there as you always do.",
  whereBaseOwn: "It was added to your account. Sign in there as you always do.",
  whereNew:
    "Your sign-in details are on the order's page, for you only. They stay there for 7 days from when you first open it.",

  refundSubject: "Your payment is refunded in full: {name}",
  refundPreheader: "{amount} goes back to you. Nothing was bought.",
  refundOrder: "Order {number}: {name}, {licences}",
  refundWhy: "Your payment arrived, but this order could no longer be carried out. {reason}",
  refundHow:
    "Nothing was bought. All of it, {amount}, goes back to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  moneyBackSubject: "{amount} is on its way back to you: {name}",
  moneyBackPreheader: "It usually takes 5 to 7 working days.",
  moneyBack: "{amount} is on its way back to {where}.",
  moneyBackHow:
    "It usually takes 5 to 7 working days. We write again when the payment has gone out. You don't need to do anything.",
  moneyBackPaidSubject: "{amount} has been refunded: {name}",
  moneyBackPaidPreheader: "Your bank may take 5 to 7 working days to show it.",
  moneyBackPaid: "{amount} has gone out to {where}.",
  moneyBackPaidHow:
    "Your bank may take 5 to 7 working days to show it. If you do not see it by then, give the bank the reference below.",
  moneyBackTo:
    "{method, select, card {the card you paid with} upi {the UPI account you paid with} netbanking {the bank account you paid from} wallet {the wallet you paid with} bank_transfer {the bank account you transferred from} other {the card or account you paid with}}",
  moneyBackWhere: "To",
  moneyBackBank: "Bank reference",
  moneyBackNumber: "Refund number",
  creditNoteSubject: "Credit note {number}: {amount} goes back to you",
  creditNotePreheader: "For {name}, order {order}",
  creditNoteWhat: "We have issued credit note {number} of {amount} for your invoice {invoice}. {reason}",
  creditNoteHow:
    "The money goes back to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  creditNote: "Open the credit note",
  mySubscriptions: "My Subscriptions",

  delayedSubject: "Your order takes longer: {name}",
  delayedPreheader: "Your payment is safe, and you need not do anything.",
  delayedSafe:
    "Your payment is safe, and you need not do anything. We mail you as soon as everything is ready.",

  correctionSubject: "Your order needs a correction: {name}",
  correctionPreheader: "Your payment is safe. We need the right details from you.",
  correctionHow:
    "Please write to {email} with the right details and the order number. We put it right and go on, or give the money back.",
  correctionSafe: "Your payment is safe, and you will not be charged again.",
  writeToUs: "Write to us",

  accessSubject: "Your access to {name}",
  accessPreheader: "Your access code is in this email.",
  accessSignIn: "Sign in as",
  accessCode: "Access code",
  accessRenewed: "Your renewed access has a new code. Keep the code to yourself.",
  accessFirst:
    "The first to sign in with the code becomes the administrator and invites the others. Keep the code to yourself.",
  open: "Open {name}",

  inviteSubject: "An invitation to a company at {store}",
  invitePreheader: "The link works for 7 days.",
  inviteAsOwner:
    "{inviter} invites you to join {company}, as an owner: to see its subscriptions, to order, and to say who else may.",
  inviteAsBuyer:
    "{inviter} invites you to join {company}, as a buyer: to see its subscriptions and to order.",
  inviteAsApprover:
    "{inviter} invites you to join {company}, as an approver: to see its subscriptions and orders, and to approve orders.",
  inviteAsViewer:
    "{inviter} invites you to join {company}, as a viewer: to see its subscriptions and orders.",
  inviteOnce: "The link works once, for 7 days. If you do not know them, ignore this email: nothing happens.",
  answerInvite: "Answer the invitation",
  somebody: "Somebody",
  theirCompany: "their company",

  askSubject: "Please confirm an order for {domain}",
  askPreheader: "You are named as the administrator of {domain}.",
  askWho: "{company} is ordering from {store} for {domain}, and names you as its administrator.",
  askByDns:
    "The page behind the link says what you would allow. To confirm, you add a record to the domain's DNS. You see neither the order nor its price.",
  askBySignIn:
    "The page behind the link says what you would allow. To confirm, you sign in at {place} itself, never here. You see neither the order nor its price.",
  askUntil:
    "{days, plural, one {The link works for {days} day.} other {The link works for {days} days.}} To refuse, or if you do not know this company, do nothing: without you the order does not go there.",
  askSee: "See what you would allow",
  aCompany: "A company",

  confirmedSubject: "Confirmed: your order for {domain}",
  confirmedPreheader: "The administrator of {domain} has said yes.",
  confirmedBy: "The administrator of {domain} has confirmed your order for {name}.",
  confirmedGoesOn: "It goes on by itself. We will email you when it is complete.",
  confirmedPay: "You can pay for it now.",

  reminderSubject:
    "{count, plural, one {{name} for {domain} ends in {count} day} other {{name} for {domain} ends in {count} days}}",
  reminderPreheader: "Renewing early loses nothing.",
  reminderAheadPreheader: "Nothing needs to be paid yet.",
  reminderEnds:
    "{count, plural, one {Your subscription to {name} for {domain}, {licences}, ends on {date}, in {count} day.} other {Your subscription to {name} for {domain}, {licences}, ends on {date}, in {count} days.}}",
  reminderEarly: "The new term begins when this one ends: renewing early loses nothing. {seats}",
  inUse: "On {date} {assigned} of your {of} licences were in use.",
  inUseSaves: "Renewing only those would save {amount}.",
  inUseSavesTaxed: "Renewing only those would save {amount}, with {tax}.",
  reminderChosen: "You have said that you will renew {licences}.",
  decide: "Keep, reduce or stop",
  decideHow:
    "The link opens a page where you say whether to keep all licences, fewer or none. Whoever has it may choose, and cannot pay: nothing is charged by it.",
  reminderAhead:
    "You can renew from {date}, for what the licences cost then. Nothing renews by itself: without a renewal the subscription ends with its term, and nothing is charged.",
  windowSubject: "{name} for {domain}: what of the new term can still be given back",
  windowPreheader: "Until when, and what comes back.",
  windowBegun: "The new term of {name} for {domain} has begun: {licences}, from {start} to {end}.",
  windowReduce:
    "Licences can be given back until {until}: at most {licences}. For each that is given back today {amount} comes back to you, with the tax on it.",
  windowCancel:
    "The whole subscription can be cancelled until {until}. If it is cancelled today, {amount} comes back to you, with the tax on it.",
  windowElse: "What comes back is counted by the day. If you need all of it, there is nothing to do.",
  windowAhead:
    "Once the new term has begun, licences can be given back for {hours} hours. A mail then says until when exactly, and what comes back.",
  renewsAny: "You can renew for more or fewer licences.",
  renewsAll:
    "{family} renews all of your {licences}. For more, add licences first; for fewer, renew after the end of the term.",
  costsYear: "Renewing {licences} for a year costs {price} today.",
  costsMonth: "Renewing {licences} for a month costs {price} today.",
  costsYearTaxed: "Renewing {licences} for a year costs {price} before {tax}, {total} with {tax} today.",
  costsMonthTaxed: "Renewing {licences} for a month costs {price} before {tax}, {total} with {tax} today.",
  renew: "Renew",

  endedSubject: "Your subscription has ended: {name} for {domain}",
  endedPreheader: "You can still renew it.",
  endedOn: "Your subscription to {name} for {domain}, {licences}, ended on {date}.",
  endedRenew: "You can still renew it: a new term then begins on the day you do.",

  extendedSubject: "{name} for {domain} goes on at {family} without a term: renew it to keep it",
  extendedPreheader: "The extension is not paid for. Renew to keep the licences.",
  extendedOn:
    "{ended} {family} has extended it month by month. The extension is not paid for, so we may end it at any time.",
  extendedOnUntil:
    "{ended} {family} has extended it month by month, for now until {until}. The extension is not paid for, so we may end it at any time.",
  extendedRenew:
    "If you renew, a new term begins on the day you do, and then the extension ends. Your users keep their licences. If you no longer need the subscription, you need not do anything.",

  termsSubject: "Accept the terms of service to use {name} for {domain}",
  termsPreheader: "Until then {family} keeps it suspended.",
  termsWhy:
    "{family} has suspended {name} for {domain}, because its terms of service have not been accepted yet. The term runs on.",
  termsHow:
    "A super administrator has to sign in to the admin console and accept them. If the console asks you to verify the domain, do that next: until then no email is sent or received.",
  openConsole: "Open the admin console",

  stopThese: "Stop emails like this",
  noticePreheader: "What happened, and what to do if it was not you.",
  noticeAccess:
    "If this was you, there is nothing to do. If it was not, reset your password now: that signs everybody out. Then write to us.",
  noticeOwnPlace: "If you did not expect this, ask an owner of the company, or write to us.",
  noticeNewMember:
    "You can change their role or remove them under Members. If you did not expect this, remove them and write to us.",
  resetPassword: "Reset your password",
  members: "Members",
  when: "{date}, {time}",
  viewedSubject: "We looked at your {store} account",
  viewedPreheader: "For reading alone. Nothing could be changed.",
  viewed:
    "On {when} somebody of our team opened a read-only view of the store as you see it, as a member of {company}. It ends after 60 minutes at the latest.",
  viewedWhy: "Why: {reason}",
  viewedLimits:
    "Nothing could be ordered, paid or changed in it, and no password or sign-in detail was shown.",
  viewedNotExpected: "If you did not expect this, write to us.",
  passwordFirstSubject: "Your {store} account has a password now",
  passwordAgainSubject: "The password of your {store} account was changed",
  passwordFirst:
    "A password was set for your {store} account on {when}. Every other sign-in has ended, and links to your account that were emailed before no longer work.",
  passwordAgain:
    "A new password was set for your {store} account on {when}. Every other sign-in has ended, and links to your account that were emailed before no longer work.",
  linkUsedSubject: "A link signed you in to your {store} account",
  linkUsed: "The link to your order that we emailed you was used to sign in on {when}.",
  identitySubject: "{provider} now opens your {store} account",
  identityLinked:
    "A sign-in with {provider} was connected with your {store} account on {when}. It opens the account from now on.",
  identityRemovedSubject: "{provider} no longer opens your {store} account",
  identityRemoved:
    "The sign-in with {provider} was removed from your {store} account on {when}, which is signed out everywhere else.",
  twoStepOnSubject: "Two-step sign-in is on for your {store} account",
  twoStepOn:
    "Two-step sign-in was switched on for your {store} account on {when}. From now on every sign-in asks for a code of your authenticator app. Every other sign-in has ended.",
  twoStepOffSubject: "Two-step sign-in is off for your {store} account",
  twoStepOff:
    "Two-step sign-in was switched off for your {store} account on {when}. No sign-in asks for a code any more.",
  twoStepRemoved:
    "Our support removed two-step sign-in from your {store} account on {when}, because we were told that the app and the recovery codes were lost. Every sign-in has ended. Set it up again under My Account.",
  newDeviceSubject: "A new sign-in to your {store} account",
  newDevice:
    "Your {store} account was signed in to on {when}, in a browser that it has not been used with before: {device} ({place}).",
  passkeyAddedSubject: "A passkey now opens your {store} account",
  passkeyAdded:
    "The passkey {name} was added to your {store} account on {when}. It signs in without the password from now on.",
  passkeyRemovedSubject: "A passkey of your {store} account was removed",
  passkeyRemoved:
    "The passkey {name} was removed from your {store} account on {when}. It no longer signs in.",
  passkeyUnnamed: "you named yourself",
  twoStepRequiredSubject: "Your company requires two-step sign-in",
  twoStepRequired:
    "On {when} an owner of {company} made two-step sign-in a rule for everybody who belongs to it. If you have not set it up yet, you are asked to at your next visit, before anything of the company opens.",
  setUpTwoStep: "Set up two-step sign-in",
  twoStepOptionalSubject: "Your company no longer requires two-step sign-in",
  twoStepOptional:
    "On {when} an owner of {company} left it to each member whether to use two-step sign-in. Yours stays as it is.",
  codesRenewedSubject: "New recovery codes for your {store} account",
  codesRenewed:
    "New recovery codes were made for your {store} account on {when}. The old ones no longer work.",
  codeUsedSubject: "A recovery code of your {store} account was used",
  codeUsed:
    "A recovery code was used in your {store} account on {when}, in place of a code of the authenticator app. It no longer works.",
  provenSubject: "The email of your {store} account is confirmed",
  proven:
    "This email was confirmed as yours on {when}. Until then somebody else could have used the account, so we have ended what was set up in it before.",
  provenNoPassword: "The password that was set before no longer works. Reset it to choose a new one.",
  provenMembers: "No longer members of your company: {emails}. Invite those you know again.",
  withdrawn: "Open invitations were withdrawn: {emails}. Send them again if you want to.",
  roleSubject: "Your role in a company was changed",
  roleOwner: "On {when} an owner of {company} made you an owner.",
  roleBuyer: "On {when} an owner of {company} made you a buyer.",
  roleApprover: "On {when} an owner of {company} made you an approver.",
  roleViewer: "On {when} an owner of {company} made you a viewer.",
  joinedSubject: "A new member joined your company",
  joinedOwner: "On {when} {member} joined {company}, as an owner.",
  joinedBuyer: "On {when} {member} joined {company}, as a buyer.",
  joinedApprover: "On {when} {member} joined {company}, as an approver.",
  joinedViewer: "On {when} {member} joined {company}, as a viewer.",
  removedSubject: "You are no longer a member of a company",
  removed:
    "On {when} you were removed from {company}. You no longer see its subscriptions and orders. Your own account stays.",
  companyHere: "a company at {store}",
} as const;
