/** Privacy, terms, refunds, grievances, accessibility, about; and the terms that a buyer accepts with an order. */
export const legal = {
  inForce: "Effective from {date}.",
  seeAlso: "See also",

  country: "Orders from {country}",
  seller: "Seller",
  address: "Address",
  gstin: "GSTIN",
  ein: "EIN",
  phone: "Phone",
  hours: "Support hours",
  mail: "Email",
  officer: "Grievance officer",

  about: "About us",
  aboutDescription: "What {store} does, and the company that sells to you in each country.",
  aboutLead: "{store} sells {products} to businesses in {countries}.",
  aboutWhat: "What we do",
  aboutSell:
    "Choose a plan, say how many users need it, and pay online. We then set up the licenses in your company's own account and send you an invoice.",
  aboutAfter:
    "You can then add licenses, renew, and find every invoice in one place. Nothing renews automatically: a subscription ends with its term unless you pay for the next one.",
  aboutOwn: "We are a partner of {vendors}. Licenses come from them and belong to your company.",
  aboutSellers: "Who sells to you",
  aboutContact: "How to reach us",
  aboutReach: "Email <mail>{mail}</mail>, or call the number for your country above.",

  privacy: "Privacy",
  privacyDescription:
    "What personal data {store} holds, why, for how long, who we share it with, and your rights.",
  privacyLead: "What personal data we hold about you, why, for how long, and who we share it with.",
  privacyWho: "Who is responsible for your data",
  privacyWhoText: "The seller for your country, named below, decides how your data is used.",
  privacyWhat: "What we hold and why",
  privacyAccount:
    "Your account: name, email address, phone number, company and your role in it, and your password, stored as a hash that nobody can read. We use it to sign you in and to contact you about your orders.",
  privacyOrders:
    "Your orders: what was ordered and for which company, its address and registration or tax number, the contact person, the price, and when the terms were accepted. We use it to fulfil the order and issue the invoice.",
  privacyPayments:
    "Payments: the amount, the time and the payment provider's reference numbers. You enter card and bank details with the payment provider; we never see them.",
  privacySignIn:
    "Sign-in details for an account created for you: encrypted, and shown only to the person who ordered.",
  privacyRecord:
    "An activity log for your account, such as a new member or a changed password; the browser, network and country of each sign-in; and the network addresses used to count sign-in and other attempts. We use it to detect misuse.",
  privacyCookies: "Cookies",
  privacyCookiesText:
    "All our cookies are needed for the store to work. None are used for advertising or to track you on other sites.",
  cookieSession:
    "Keeps you signed in: until you sign out, after 30 days without use, and for 180 days at most.",
  cookieDevice: "Recognises this browser, so we can tell you about a sign-in from a new one: 400 days.",
  cookieDraft: "Remembers orders you started before you had an account: 30 days.",
  cookieLanguage: "Remembers your choices, such as language and country: one year.",
  cookieMoments:
    "Keeps your place in a sign-in with another provider, a payment by emailed link or a link from another site, and carries a message to the next page: minutes.",
  cookieRenamed: "Records that our older cookies were replaced: 180 days.",
  cookieStorage:
    "Your browser's storage also holds your name, role and phone number and what you are ordering, never a password. Signing out clears it.",
  cookieCheckout: "While you pay, the payment provider's own script may set cookies for its checkout.",
  privacyOthers: "Who we share data with",
  privacyPaying:
    "{provider} processes payments. It receives the amount, and the payer's name, email address and phone number.",
  privacyVendor:
    "{vendor} sets up its licenses. It receives the company's name, address and registration number, the contact person, and the domain or account. Its own privacy statement applies to its services.",
  privacyRegister: "{provider} looks up companies by GST number. It receives only the number you enter.",
  privacyIdentity: "If you choose to sign in with {provider}, it shares your name and email address with us.",
  privacyHosts:
    "The companies that run our servers and deliver our emails act for us, and only on our instructions.",
  privacyNobody: "We share your data with nobody else unless the law requires it. We do not sell it.",
  privacyHowLong: "How long we keep it",
  keptDrafts: "Unpaid orders started without an account: 30 days after the last change.",
  keptSignIn:
    "Sign-in details for a new account: 7 days after they are first shown. Transfer tokens: 14 days.",
  keptSessions: "Ended sign-ins and used links: 30 days. Counts of attempts by network address: 2 days.",
  keptEvents: "What payment providers and vendors report to us: 90 days.",
  keptOrders:
    "Accounts and orders: until you ask us to delete them. Invoices and related tax records: for as long as tax law requires.",
  privacyRights: "Your rights",
  privacyRightsText:
    "You can ask what we hold about you, have it corrected, have it deleted unless the law forbids that, and withdraw your consent. Write to the grievance officer for your country. You can change your password yourself in My Account.",
  privacyMyData:
    "You can do two of these yourself in My Data, when signed in: <link>download everything we hold about you</link> (and about your company, if you are its owner), and <link>delete your account</link>, which you can undo for {days} days.",
  privacySafety: "How it is kept safe",
  privacySafetyText:
    "Every page and API call is encrypted in transit. Passwords are stored as hashes, and sign-in details are encrypted in storage.",

  terms: "Terms of sale",
  termsDescription:
    "The terms on which {store} sells {products}: who sells, prices and tax, payment, delivery, renewal and support.",
  termsLead: "What holds between your company and the seller when you buy here.",
  termsWho: "Who sells, and to whom",
  termsWhoText: "The seller is the company named below for your country.",
  termsPrices: "Prices and tax",
  termsPricesText:
    "Prices are in your country's currency and are never converted. The tax and total are shown before you order, and that total is what you pay.",
  termsOrder: "Order and payment",
  termsOrderText:
    "You order by selecting Place Order, after reviewing the order and accepting its terms. Each term is paid in full, in advance.",
  termsAccepted: "When you order {family}, you accept these terms:",
  termsAgreement: "Your company also accepts the {agreement}.",
  termsDelivery: "Delivery",
  termsDeliveryText:
    "Licenses are set up automatically once you have paid and told us which account they are for, usually within minutes. If the vendor has to review your company, it can take a few days. We email you when they are ready. If the vendor asks you to accept its own terms, you do so with the vendor.",
  termsMore: "More licenses",
  termsMoreText: "Licenses added during a term are charged for the rest of that term.",
  termsRenewal: "End and renewal",
  termsRenewalText:
    "A subscription ends with its term unless you pay for the next one here. You can do so from 30 days before the end, and we remind you by email.",
  termsRefunds: "Refunds and cancellation",
  termsRefundsText: "<link>Refunds and cancellation</link> says what can be cancelled or refunded.",
  termsInvoice: "Invoices",
  termsInvoiceText: "Each paid order has an invoice from the seller, as a page and a PDF, in My Orders.",

  atMost300: "You can buy up to 300 licenses.",
  reduceWithin72Hours: "Licences can only be reduced within 72 hours.",
  advanceNoCancellation: "100% advance payment. An order cannot be cancelled once it is placed.",
  supportAlways: "Support is available 24/7.",
  cancelWithin7Days: "You may cancel within 7 days for a prorated refund.",
  advance: "100% advance payment.",
  billingAdministrators: "New Global, Billing and Reader administrators get access to the billing account.",

  refunds: "Refunds and cancellation",
  refundsDescription:
    "What you can cancel or reduce at {store}, the deadlines, how to ask, and how refunds are paid.",
  refundsLead: "What you can cancel or reduce, the deadlines, and how refunds are paid.",
  refundsRules: "Rules for each product",
  refundsRulesText: "These are the terms you accept with your order.",
  refundsHow: "How to ask",
  refundsHowText:
    "In My Subscriptions, select Cancel or reduce next to the subscription. The page shows the deadline and the exact refund. If you can't do it there, email <mail>{mail}</mail> with your order number.",
  refundsAlone: "Refunds you don't need to ask for",
  refundsTaken:
    "If an order can no longer be fulfilled when it is paid, for example because the last licenses have just been sold, nothing is bought. We refund the full amount and email you.",
  refundsTwice: "If an order is paid twice, our team refunds the second payment.",
  refundsWay: "How refunds are paid",
  refundsWayText:
    "Refunds are paid through {provider} to the card or account that paid. How long they then take depends on your bank.",
  refundsEnd: "At the end of a term",
  refundsEndText:
    "You don't need to cancel: a subscription that isn't renewed ends, and you are not charged again.",

  grievances: "Grievance contact",
  grievancesDescription: "Who to contact at {store} if something went wrong, and when you will hear from us.",
  grievancesLead: "If something went wrong and support has not resolved it, contact this person.",
  grievancesWho: "Who to contact",
  grievancesHow: "What to include",
  grievancesHowText:
    "Tell us what happened, what you would like us to do, and the order number if there is one. Send requests about your personal data to the same person.",
  grievancesWhen: "When you hear from us",
  grievancesWhenText: "We acknowledge your message within 48 hours and resolve it within one month.",

  accessibility: "Accessibility",
  accessibilityDescription:
    "The accessibility standard {store} meets, how it is checked, what doesn't meet it yet, and how to get help.",
  accessibilityLead:
    "Everyone should be able to use {store}, with a keyboard, a screen reader or large text.",
  accessibilityStandard: "The standard we meet",
  accessibilityStandardText:
    "Our pages are made to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA, in English and in Hindi, apart from what is listed below. You can browse and buy without JavaScript.",
  accessibilityChecks: "How we check it",
  accessibilityChecksText:
    "We test each change in a browser. This is a self-assessment: no independent auditor has reviewed it, and we haven't tested it with people who use assistive technology every day.",
  accessibilityAxe: "Every page passes the automatic rules of axe, in both languages, light and dark.",
  accessibilityKeyboard:
    "A purchase can be completed with the keyboard alone, and the focus is always visible.",
  accessibilityZoom: "Nothing is lost at 200% text size, at 400% zoom or in forced colours.",
  accessibilityGaps: "What doesn't meet it yet",
  accessibilityPdf:
    "PDF invoices, quotes and statements have no tags for screen readers. Each has a web page with the same content.",
  accessibilityCheckout:
    "The payment page is the payment provider's own, and we can't change it. If you can't use it, ask us for a payment link or a bank transfer, where they are offered.",
  accessibilityVendors:
    "The websites of {vendors}, where you sign in after a purchase, have their own accessibility statements.",
  accessibilityHelp: "If something doesn't work for you",
  accessibilityHelpText:
    "Email <mail>{mail}</mail> and tell us the page and what you wanted to do. We'll help you complete it another way, and fix the page. If you aren't satisfied with our answer, write to the <link>grievance contact</link>.",
} as const;
