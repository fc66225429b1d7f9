/** Which mails somebody gets. */
export const notifications = {
  title: "Notifications",
  lead: "Choose which emails we send to {email}.",
  renewals: "Renewals",
  renewalsHint:
    "Letters before a subscription of your company ends, and on what can be given back of its new term.",
  reminders: "Reminders",
  remindersHint: "When you have left an order unfinished.",
  always: "Always sent",
  alwaysHint:
    "Emails about your orders, about money (invoices, payments, refunds) and about the security of your account cannot be switched off.",
  save: "Save",
  saved: "Your choice is saved.",

  stopTitle: "Stop these emails?",
  stopRenewals: "We would no longer send letters about renewals to {email}.",
  stopReminders: "We would no longer send reminders of unfinished orders to {email}.",
  endsAnyway:
    "Subscriptions end all the same unless they are renewed. Their dates are under My Subscriptions.",
  stop: "Stop these emails",
  stoppedTitle: "These emails are stopped",
  stoppedRenewals: "We no longer send letters about renewals to {email}.",
  stoppedReminders: "We no longer send reminders of unfinished orders to {email}.",
  again: "Send them again",
  others: "Orders, money and the security of the account: those emails go on.",
} as const;
