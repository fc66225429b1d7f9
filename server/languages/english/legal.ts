/** Privacy, terms, refunds, grievances, about; and the terms that a buyer accepts with an order. */
export const legal = {
  inForce: "In force since {date}.",
  seeAlso: "See also",

  country: "Orders from {country}",
  seller: "Seller",
  address: "Address",
  gstin: "GSTIN",
  ein: "EIN",
  phone: "Phone",
  hours: "Support hours",
  mail: "Mail",
  officer: "Grievance officer",

  about: "About us",
  aboutDescription: "Who {store} is, what it sells, and the company that sells to you in each country.",
  aboutLead: "{store} sells {products} to businesses in {countries}.",
  aboutWhat: "What we do",
  aboutSell:
    "You choose a plan, say how many people need it, and pay online. Then the licences are set up in an account of your own company, and you get an invoice.",
  aboutAfter:
    "Afterwards you add people, renew, and find every invoice in one place. A subscription ends with its term unless you pay for the next one: nothing is charged by itself.",
  aboutOwn:
    "The licences of {vendors} come from their makers, of whom we are a partner. They belong to your company.",
  aboutSellers: "Who sells to you",
  aboutContact: "How to reach us",
  aboutReach: "Write to <mail>{mail}</mail>, or call the number of your country above.",

  privacy: "Privacy",
  privacyDescription:
    "Which personal data {store} keeps, what for, for how long, who else gets it, and what you can ask of us.",
  privacyLead: "Which data about you we keep, what for, for how long, and who else gets it.",
  privacyWho: "Who answers for your data",
  privacyWhoText: "The seller of your country, as named below, decides what happens with your data.",
  privacyWhat: "What we keep, and what for",
  privacyAccount:
    "Your account: name, email address, phone number, company and role in it, and your password as a hash that nobody can read. You sign in with them, and we write to you about your orders.",
  privacyOrders:
    "Your orders: what was ordered, for which company, its address and registration or tax number, whom to contact, the price, and when the terms were accepted. We carry out the order with them and make the invoice.",
  privacyPayments:
    "Payments: the amount, the time and the payment provider's numbers. Card and bank details are typed at the payment provider. We never see them.",
  privacySignIn:
    "The sign-in details of an account made for you: encrypted, shown to whoever ordered, and to nobody else.",
  privacyRecord:
    "A record of what was done in an account, such as a new member or a changed password, with which browser and from which network and country somebody signed in, and the network addresses from which sign-ins and other attempts are counted. We find misuse with them.",
  privacyCookies: "Cookies",
  privacyCookiesText:
    "All our cookies are needed for the store to work. None is for advertising, and none watches you on other sites.",
  cookieSession:
    "Who is signed in: until you log out, after 30 days without use, and after 180 days at the latest.",
  cookieDevice: "Which browser this is, so that we can tell you of a sign-in in a new one: 400 days.",
  cookieDraft: "Which orders you have begun before you had an account: 30 days.",
  cookieLanguage: "What you chose on our pages, such as the language and the country: one year.",
  cookieMoments:
    "Where you are in a sign-in elsewhere, in a payment by a mailed link or in a link from another site, and a message for the next page: minutes.",
  cookieRenamed: "That older cookies of ours were replaced: 180 days.",
  cookieStorage:
    "Your browser's storage also holds your name, role and phone number and what you are ordering, never a password. Logging out clears it.",
  cookieCheckout: "While you pay, the payment provider's own script may set cookies for its checkout.",
  privacyOthers: "Who else gets data",
  privacyPaying:
    "{provider} takes payments: it gets the amount, and the name, email address and phone number of whoever pays.",
  privacyVendor:
    "{vendor} sets up its licences: it gets the name, address and registration number of the company, whom to contact there, and the domain or account. For its services its own privacy statement holds.",
  privacyRegister:
    "{provider} looks up the company of a GST number that is typed in: it gets that number alone.",
  privacyIdentity: "If you choose to log in with {provider}, it tells us your name and email address.",
  privacyHosts: "The companies that run our servers and deliver our mails work for us and only as we say.",
  privacyNobody: "Nobody else gets your data, unless the law says that we must give it. We sell none.",
  privacyHowLong: "For how long",
  keptDrafts: "An order begun without an account and without a payment: 30 days after it was last changed.",
  keptSignIn:
    "Sign-in details of a new account: 7 days after they were first shown. A transfer token: 14 days.",
  keptSessions: "Ended sign-ins and used links: 30 days. Counts of attempts by network address: 2 days.",
  keptEvents: "What payment providers and vendors report to us: 90 days.",
  keptOrders:
    "Accounts and orders: until you ask us to delete them. Invoices and what tax law asks for with them: for as long as it asks.",
  privacyRights: "What you can ask of us",
  privacyRightsText:
    "You may ask what we keep about you, have it put right, have it deleted where no law forbids that, and withdraw a consent. Write to the grievance officer of your country. You can change your password in My Account yourself.",
  privacyMyData:
    "Two of these you do yourself, signed in, on My Data: <link>download everything that is stored of you</link>, and of your company if you are its owner, and <link>delete your account</link>, which you can take back for {days} days.",
  privacySafety: "How it is kept safe",
  privacySafetyText:
    "Every page and every call is encrypted on its way. Passwords are kept as hashes, and sign-in details are encrypted where they are stored.",

  terms: "Terms of sale",
  termsDescription:
    "The terms on which {store} sells {products}: who sells, prices and tax, payment, delivery, renewal and support.",
  termsLead: "What holds between your company and the seller when you buy here.",
  termsWho: "Who sells, and to whom",
  termsWhoText: "The seller is the company named below for your country.",
  termsPrices: "Prices and tax",
  termsPricesText:
    "Each price is in the currency of the country and is never converted. The tax and the total are shown before you order, and what is shown there is what you pay.",
  termsOrder: "Order and payment",
  termsOrderText:
    "You order with Place Order, after you have seen the whole order and accepted its terms. Every term is paid in full and in advance.",
  termsAccepted: "You accept these with an order of {family}:",
  termsAgreement: "Your company also accepts the {agreement}.",
  termsDelivery: "Delivery",
  termsDeliveryText:
    "Licences are set up automatically after the payment and after you have said which account they are for. You get a mail when they are ready. Where the vendor asks you to accept its own terms, you do so there.",
  termsMore: "More licences",
  termsMoreText: "Licences added during a term cost the rest of that term.",
  termsRenewal: "End and renewal",
  termsRenewalText:
    "A subscription ends with its term unless you pay for the next one here. You can do so from 30 days before the end, and we remind you by mail.",
  termsRefunds: "Refunds and cancellation",
  termsRefundsText: "What can be cancelled or returned is said in <link>Refunds and cancellation</link>.",
  termsInvoice: "Invoices",
  termsInvoiceText: "Each paid order has an invoice of the seller, as a page and as a PDF, in My Orders.",

  atMost300: "You can buy up to 300 licences.",
  reduceWithin72Hours: "Licences can only be reduced within 72 hours.",
  advanceNoCancellation: "100% advance payment. An order cannot be cancelled once it is placed.",
  supportAlways: "Support is available 24/7.",
  cancelWithin7Days: "You may cancel within 7 days for a prorated refund.",
  advance: "100% advance payment.",
  billingAdministrators: "New Global, Billing and Reader administrators get access to the billing account.",

  refunds: "Refunds and cancellation",
  refundsDescription:
    "What can be cancelled or reduced at {store}, until when, how to ask for it, and how the money comes back.",
  refundsLead: "What can be cancelled or reduced, until when, and how the money comes back.",
  refundsRules: "What holds for each product",
  refundsRulesText: "These are the terms that are accepted with the order.",
  refundsHow: "How to ask",
  refundsHowText:
    "Press Cancel or reduce beside the subscription in My Subscriptions. The page says until when it is possible and exactly what comes back. If something is in the way, write to <mail>{mail}</mail> with the number of the order.",
  refundsAlone: "When money comes back without your asking",
  refundsTaken:
    "When an order can no longer be carried out at the moment it is paid, for example because the last licences were sold meanwhile, nothing is bought. The whole sum goes back, and you get a mail.",
  refundsTwice: "When an order was paid twice, our team sends the second payment back.",
  refundsWay: "How it comes back",
  refundsWayText:
    "Money goes back the way it came, through {provider}, to the card or account that paid. How long it takes from there is up to your bank.",
  refundsEnd: "At the end of a term",
  refundsEndText:
    "There is nothing to cancel: a subscription that is not renewed ends, and nothing more is charged.",

  grievances: "Grievance contact",
  grievancesDescription: "Whom to write to at {store} when something went wrong, and when you hear from us.",
  grievancesLead: "When something went wrong and support has not put it right, this is the person who will.",
  grievancesWho: "Who it is",
  grievancesHow: "How to write",
  grievancesHowText:
    "Say what happened, what you would like us to do, and the number of the order if there is one. Requests about your personal data go to the same person.",
  grievancesWhen: "When you hear from us",
  grievancesWhenText: "We confirm that we have your message within 48 hours, and settle it within one month.",
} as const;
