/** Mails to buyers. */
export const mail = {
  questions: "Questions? Email {email} or call {phone}.",
  questionsByMail: "Questions? Email {email}.",
  neverAsk: "We never ask for your password.",
  address: "Or copy this link into your browser:",
  order: "Order {number}. Quote this number when you contact us.",
  worksOnceSignsIn: "The link expires in 7 days, works once and signs you in, so don't forward it.",
  yourSubscription: "your subscription",
  openOrder: "Open your order",
  invoice: "View your invoice",
  invoiceReadySubject: "Your invoice {number} is ready",
  invoiceReadyPreheader: "View, print or download it.",
  invoiceReady:
    "Invoice {number} for {name} has been registered with the tax office. It includes the reference number and QR code you need to claim the tax.",
  invoiceReadyPlain:
    "Invoice {number} for {name} has been registered with the tax office. It includes the registration's reference number and QR code.",
  openInvoice: "Open the invoice",
  billLine: "{name}, {licences}",
  tax: "{name} ({rate}%)",
  rounding: "Rounding",
  paid: "Paid",
  amountBack: "Refund",
  renewalTotal: "Renewal today, including {tax}",
  renewalTotalUntaxed: "Renewal today",

  setPasswordSubject: "Set a password for your {store} account",
  setPasswordPreheader: "So you can sign in again any time.",
  accountMade: "We created an account for you when you started your order, so you won't lose it.",
  setPasswordOnce:
    "Set a password so you can sign in again later. The link works once and expires in 7 days.",
  notYourOrder:
    "If you didn't start an order with us, ignore this email. Nothing has been bought in your name.",
  setPassword: "Set your password",

  resetSubject: "Reset your {store} password",
  resetPreheader: "The link expires in 1 hour.",
  resetAsked: "We received a request to reset your password. The link works once and expires in 1 hour.",
  resetNotYou: "If this wasn't you, ignore this email: your password stays the same.",
  newPassword: "Choose a new password",

  confirmSubject: "Confirm your email for {store}",
  confirmPreheader: "You can then invite colleagues.",
  confirmHow:
    "Use this link to choose a password. That confirms your email, and you can then invite colleagues. The link works once and expires in 7 days.",
  confirmSignsOut: "You'll be signed out everywhere. Sign in again with your new password.",
  confirmNotYou:
    "If you don't have an account with us, ignore this email. Nobody can act in your name without it.",
  confirmEmail: "Confirm your email",

  resumeSubject: "Your order is waiting: {name}",
  resumePreheader: "Pick up where you left off, on any device.",
  resumeBegun: "You started an order for {name}. We've saved everything you entered.",
  resumeLink:
    "This link opens your order where you left off, on any device. It works once, expires in 7 days and signs you in, so don't forward it.",
  continueOrder: "Continue your order",

  signInSubject: "One step left: sign-in details for {name}",
  signInPreheader: "We've received your payment. Finishing usually takes a minute.",
  signInPaid: "Thank you. We've received your payment for {name}.",
  signInOrderPaid: "Your order for {name} is paid.",
  signInConfirm:
    "An administrator of {username}'s account still needs to confirm it. Confirm it yourself, or have us email a link to your administrator.",
  signInMissing: "We still need to know which account to add it to. It usually takes a minute.",
  finishOrder: "Finish your order",
  chooseAccount: "Choose the account now",

  accountCodeSubject: "Your code to change your {store} account",
  accountCode:
    "Your code is {code}. Enter it where you change how you sign in to your account. It works once, for {minutes} minutes.",
  accountCodeNotYou:
    "If you didn't request this code, someone else is signed in to your account. Don't share the code. Sign out on all devices in My Account, and contact us.",
  codeSubject: "Your code to sign in with {provider}",
  codePreheader: "It expires in {minutes} minutes.",
  code: "Your code is {code}. It works once, on the page that asked for it, and expires in {minutes} minutes.",
  codeWhy: "It connects your {provider} account to this email address. We'll never ask you for it.",
  codeNotYou: "If you didn't request it, ignore this email. Nothing happens without the code.",
  codeLabel: "Your code",

  doneSubject: "Your order is complete: {name}",
  addedSubject: "License Added: {name}",
  renewedSubject: "License Renewed: {name}",
  donePreheader: "Order {number}: {licences}, {amount} paid.",
  whereAdded:
    "The licenses have been added to {account}. Sign in to its admin console as usual to assign them.",
  whereAddedOwn:
    "The licenses have been added to your account. Sign in to its admin console as usual to assign them.",
  whereRenewed: "Nothing changes in {account}: you and your users sign in as usual.",
  whereRenewedOwn: "Nothing changes in your account: you and your users sign in as usual.",
  whereExisting: "It has been added to {username}'s account. Sign in there as usual.",
  whereBase: "It has been added to {account}. Sign in there as usual.",
  whereBaseOwn: "It has been added to your account. Sign in there as usual.",
  whereNew:
    "Your sign-in details are on the order page, where only you can see them. They stay there for 7 days after you first open it.",

  refundSubject: "Your payment has been refunded in full: {name}",
  refundPreheader: "We're refunding {amount}. Nothing was bought.",
  refundOrder: "Order {number}: {name}, {licences}",
  refundWhy: "We received your payment but couldn't complete this order. {reason}",
  refundHow:
    "Nothing was bought. We're refunding the full {amount} to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  moneyBackSubject: "Your refund of {amount} is on its way: {name}",
  moneyBackPreheader: "It usually takes 5 to 7 working days.",
  moneyBack: "We're refunding {amount} to {where}.",
  moneyBackHow:
    "It usually takes 5 to 7 working days. We'll email you when the payment provider confirms it. You don't need to do anything.",
  moneyBackPaidSubject: "{amount} has been refunded: {name}",
  moneyBackPaidPreheader: "Your bank may take 5 to 7 working days to show it.",
  moneyBackPaid: "We've refunded {amount} to {where}.",
  moneyBackPaidHow:
    "Your bank may take 5 to 7 working days to show it. If you don't see it by then, give your bank the reference below.",
  moneyBackTo:
    "{method, select, card {the card you paid with} upi {the UPI account you paid with} netbanking {the bank account you paid from} wallet {the wallet you paid with} bank_transfer {the bank account you transferred from} other {the card or account you paid with}}",
  moneyBackWhere: "To",
  moneyBackBank: "Bank reference",
  moneyBackNumber: "Refund number",
  creditNoteSubject: "Credit note {number}: refund of {amount}",
  creditNotePreheader: "For {name}, order {order}",
  creditNoteWhat: "We've issued credit note {number} for {amount} against your invoice {invoice}. {reason}",
  creditNoteHow:
    "We'll refund it to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.",
  creditNote: "Open the credit note",
  mySubscriptions: "My Subscriptions",

  delayedSubject: "Your order is delayed: {name}",
  delayedPreheader: "Your payment is safe. You don't need to do anything.",
  delayedSafe:
    "Your payment is safe and you don't need to do anything. We'll email you as soon as your order is ready.",

  correctionSubject: "We need corrected details for your order: {name}",
  correctionPreheader: "Your payment is safe. Please send us the correct details.",
  correctionHow:
    "Please email {email} with the correct details and your order number. We'll then complete your order, or refund you.",
  correctionSafe: "Your payment is safe, and you will not be charged again.",
  writeToUs: "Email us",

  accessSubject: "Your access to {name}",
  accessPreheader: "Your access code is in this email.",
  accessSignIn: "Sign in as",
  accessCode: "Access code",
  accessRenewed: "Your access has been renewed with a new code. Don't share it.",
  accessFirst:
    "The first person to sign in with this code becomes the administrator and invites the others. Don't share the code.",
  open: "Open {name}",

  inviteSubject: "You're invited to join a company at {store}",
  invitePreheader: "The link expires in 7 days.",
  inviteAsOwner:
    "{inviter} has invited you to join {company} as an owner. You can see its subscriptions, place orders and manage members.",
  inviteAsBuyer:
    "{inviter} has invited you to join {company} as a buyer. You can see its subscriptions and place orders.",
  inviteAsApprover:
    "{inviter} has invited you to join {company} as an approver. You can see its subscriptions and orders, and approve orders.",
  inviteAsViewer:
    "{inviter} has invited you to join {company} as a viewer. You can see its subscriptions and orders.",
  inviteOnce: "The link works once and expires in 7 days. If you don't know them, ignore this email.",
  answerInvite: "View invitation",
  somebody: "Someone",
  theirCompany: "their company",

  askSubject: "Please confirm an order for {domain}",
  askPreheader: "You are named as the administrator of {domain}.",
  askWho: "{company} is ordering from {store} for {domain} and has named you as its administrator.",
  askByDns:
    "The link shows what you would be allowing. To confirm, add a record to the domain's DNS. You won't see the order or its price.",
  askBySignIn:
    "The link shows what you would be allowing. To confirm, you sign in with {place}, never with us. You won't see the order or its price.",
  askUntil:
    "{days, plural, one {The link expires in {days} day.} other {The link expires in {days} days.}} To decline, or if you don't know this company, do nothing: the order can't be added without you.",
  askSee: "Review request",
  aCompany: "A company",

  confirmedSubject: "Confirmed: your order for {domain}",
  confirmedPreheader: "The administrator of {domain} has confirmed.",
  confirmedBy: "The administrator of {domain} has confirmed your order for {name}.",
  confirmedGoesOn: "It will continue automatically. We'll email you when it's complete.",
  confirmedPay: "You can now pay for it.",

  reminderSubject:
    "{count, plural, one {Ends in {count} day: {name} for {domain}} other {Ends in {count} days: {name} for {domain}}}",
  reminderPreheader: "You lose nothing by renewing early.",
  reminderAheadPreheader: "You don't need to pay anything yet.",
  reminderEnds:
    "{count, plural, one {Your subscription to {name} for {domain}, {licences}, ends on {date}, in {count} day.} other {Your subscription to {name} for {domain}, {licences}, ends on {date}, in {count} days.}}",
  reminderEarly: "The new term starts when this one ends, so you lose nothing by renewing early. {seats}",
  inUse: "On {date}, {assigned} of your {of} licenses were in use.",
  inUseSaves: "Renewing only those would save {amount}.",
  inUseSavesTaxed: "Renewing only those would save {amount}, including {tax}.",
  reminderChosen: "You've chosen to renew {licences}.",
  decide: "Plan your renewal",
  decideHow:
    "The link opens a page where you choose to keep all, some or none of your licenses. Anyone with the link can choose, but nobody can pay with it. Nothing is charged.",
  reminderAhead:
    "You can renew from {date}, at the price on the day you pay. Nothing renews automatically: if you don't renew, the subscription ends with its term and you aren't charged.",
  windowSubject: "You can still reduce or cancel: {name} for {domain}",
  windowPreheader: "Deadlines and refund amounts.",
  windowBegun: "The new term of {name} for {domain} has started: {licences}, from {start} to {end}.",
  windowReduce:
    "You can remove up to {licences} until {until}. For each one you remove today, we'll refund {amount}, including tax.",
  windowCancel:
    "You can cancel the whole subscription until {until}. If you cancel today, we'll refund {amount}, including tax.",
  windowElse:
    "Refunds are calculated by the day. If you need all your licenses, you don't need to do anything.",
  windowAhead:
    "Once the new term has started, you can remove licenses for {hours} hours. We'll email you the exact deadline and refund.",
  renewsAny: "You can renew for more or fewer licenses.",
  renewsAll:
    "{family} renews all of your {licences}. To have more, add licenses first. To have fewer, renew after the term ends.",
  costsYear: "Renewing {licences} for a year costs {price} today.",
  costsMonth: "Renewing {licences} for a month costs {price} today.",
  costsYearTaxed:
    "Renewing {licences} for a year costs {price} before {tax}, or {total} including {tax}, today.",
  costsMonthTaxed:
    "Renewing {licences} for a month costs {price} before {tax}, or {total} including {tax}, today.",
  renew: "Renew",

  endedSubject: "Your subscription has ended: {name} for {domain}",
  endedPreheader: "You can still renew it.",
  endedOn: "Your subscription to {name} for {domain}, {licences}, ended on {date}.",
  endedRenew: "You can still renew it. The new term starts on the day you renew.",

  extendedSubject: "Renew to keep it: {name} for {domain}",
  extendedPreheader: "The extension isn't paid for. Renew to keep your licenses.",
  extendedOn:
    "{ended} {family} has extended it month by month. The extension isn't paid for, so we may end it at any time.",
  extendedOnUntil:
    "{ended} {family} has extended it month by month, currently until {until}. The extension isn't paid for, so we may end it at any time.",
  extendedRenew:
    "If you renew, a new term starts that day and the extension ends. Your users keep their licenses. If you no longer need the subscription, you don't need to do anything.",

  termsSubject: "Accept the terms of service: {name} for {domain}",
  termsPreheader: "{family} has suspended it until you do.",
  termsWhy:
    "{family} has suspended {name} for {domain} because its terms of service haven't been accepted. Your term is still running.",
  termsHow:
    "A super administrator needs to sign in to the admin console and accept them. If the console then asks you to verify the domain, do that next: until you do, no email is sent or received.",
  openConsole: "Open the admin console",

  stopThese: "Unsubscribe from these emails",
  noticePreheader: "What happened, and what to do if it wasn't you.",
  noticeAccess:
    "If this was you, you don't need to do anything. If not, reset your password now, which signs everyone out, then email us.",
  noticeLock: "If you didn't expect this, email us at {email}.",
  noticeOwnPlace: "If you didn't expect this, ask an owner of the company, or email us.",
  noticeNewMember:
    "You can change their role or remove them in Members. If you didn't expect this, remove them and email us.",
  resetPassword: "Reset your password",
  members: "Members",
  when: "{date}, {time}",
  viewedSubject: "Our team viewed your {store} account",
  viewedPreheader: "Read-only. Nothing could be changed.",
  viewed:
    "On {when}, a member of our team opened a read-only view of the store as you see it, as a member of {company}. It ends after 60 minutes at the latest.",
  viewedWhy: "Reason: {reason}",
  viewedLimits: "They couldn't order, pay or change anything, and saw no passwords or sign-in details.",
  viewedNotExpected: "If you didn't expect this, email us.",
  passwordFirstSubject: "A password was set for your {store} account",
  passwordAgainSubject: "Your {store} password was changed",
  passwordFirst:
    "A password was set for your {store} account on {when}. All other sessions have been signed out, and account links we emailed earlier no longer work.",
  passwordAgain:
    "Your {store} password was changed on {when}. All other sessions have been signed out, and account links we emailed earlier no longer work.",
  linkUsedSubject: "A link signed you in to your {store} account",
  linkUsed: "The order link we emailed you was used to sign in on {when}.",
  identitySubject: "{provider} sign-in was added to your {store} account",
  identityLinked:
    "{provider} sign-in was connected to your {store} account on {when}. It can be used to sign in from now on.",
  identityRemovedSubject: "{provider} sign-in was removed from your {store} account",
  identityRemoved:
    "{provider} sign-in was removed from your {store} account on {when}. All other sessions have been signed out.",
  twoStepOnSubject: "Two-step sign-in is on for your {store} account",
  twoStepOn:
    "Two-step sign-in was turned on for your {store} account on {when}. From now on, signing in needs a code from your authenticator app. All other sessions have been signed out.",
  twoStepOffSubject: "Two-step sign-in is off for your {store} account",
  twoStepOff:
    "Two-step sign-in was turned off for your {store} account on {when}. Signing in no longer needs a code.",
  twoStepRemoved:
    "Our support team removed two-step sign-in from your {store} account on {when}, because the app and recovery codes were reported lost. All sessions have been signed out. Set it up again in My Account.",
  sessionsEndedSubject: "We signed you out of your {store} account",
  sessionsEnded:
    "Our support team signed you out of your {store} account on all devices on {when}. Sign in again to continue.",
  accountLockedSubject: "Your {store} account is locked",
  accountLocked:
    "Our support team locked your {store} account on {when} to protect it, and signed it out on all devices. You can't sign in until we unlock it, and a new password doesn't unlock it. Your colleagues, orders and subscriptions aren't affected.",
  accountUnlockedSubject: "Your {store} account is unlocked",
  accountUnlocked:
    "Our support team unlocked your {store} account on {when}. You can sign in as before. If someone else may know your password, reset it first.",
  newDeviceSubject: "A new sign-in to your {store} account",
  newDevice:
    "Your {store} account was signed in to on {when} from a browser we haven't seen before: {device} ({place}).",
  passkeyAddedSubject: "A passkey was added to your {store} account",
  passkeyAdded:
    "The passkey {name} was added to your {store} account on {when}. It can be used to sign in without a password.",
  passkeyRemovedSubject: "A passkey was removed from your {store} account",
  passkeyRemoved:
    "The passkey {name} was removed from your {store} account on {when}. It can no longer be used to sign in.",
  passkeyUnnamed: "you named yourself",
  twoStepRequiredSubject: "Your company requires two-step sign-in",
  twoStepRequired:
    "On {when}, an owner of {company} made two-step sign-in mandatory for all members. If you haven't set it up, we'll ask you to on your next visit, before you can open anything belonging to the company.",
  setUpTwoStep: "Set up two-step sign-in",
  twoStepOptionalSubject: "Your company no longer requires two-step sign-in",
  twoStepOptional:
    "On {when}, an owner of {company} made two-step sign-in optional. Your own setting stays as it is.",
  codesRenewedSubject: "New recovery codes for your {store} account",
  codesRenewed:
    "New recovery codes were created for your {store} account on {when}. The old ones no longer work.",
  codeUsedSubject: "A recovery code was used for your {store} account",
  codeUsed:
    "A recovery code was used for your {store} account on {when}, instead of an authenticator code. It can't be used again.",
  provenSubject: "Your {store} email is confirmed",
  proven:
    "This email was confirmed as yours on {when}. Until then someone else could have used the account, so we've removed access that was set up before.",
  provenNoPassword: "The password that was set before no longer works. Reset it to choose a new one.",
  provenMembers:
    "These people are no longer members of your company: {emails}. Invite the ones you know again.",
  withdrawn: "Open invitations have been withdrawn: {emails}. Send them again if you want to.",
  roleSubject: "Your role has changed",
  roleOwner: "On {when}, an owner of {company} made you an owner.",
  roleBuyer: "On {when}, an owner of {company} made you a buyer.",
  roleApprover: "On {when}, an owner of {company} made you an approver.",
  roleViewer: "On {when}, an owner of {company} made you a viewer.",
  joinedSubject: "A new member joined your company",
  joinedOwner: "{member} joined {company} as an owner on {when}.",
  joinedBuyer: "{member} joined {company} as a buyer on {when}.",
  joinedApprover: "{member} joined {company} as an approver on {when}.",
  joinedViewer: "{member} joined {company} as a viewer on {when}.",
  removedSubject: "You've been removed from a company",
  removed:
    "You were removed from {company} on {when}. You can no longer see its subscriptions and orders. Your own account isn't affected.",
  companyHere: "a company at {store}",
} as const;
