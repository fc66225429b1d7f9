/** Which mails somebody gets. */
export const notifications = {
  title: "Notifications",
  lead: "Choose which emails we send to {email}.",
  renewals: "Renewals",
  renewalsHint: "Before a subscription of your company ends, and when you can still reduce its new term.",
  reminders: "Reminders",
  remindersHint: "When you leave an order unfinished.",
  always: "Always sent",
  alwaysHint:
    "You can't turn off emails about your orders, money (invoices, payments, refunds) or account security.",
  save: "Save",
  saved: "Preferences saved.",

  stopTitle: "Unsubscribe from these emails?",
  stopRenewals: "We'll stop sending renewal emails to {email}.",
  stopReminders: "We'll stop sending reminders about unfinished orders to {email}.",
  endsAnyway: "Subscriptions still end unless you renew them. See the dates in My Subscriptions.",
  stop: "Unsubscribe",
  stoppedTitle: "You've unsubscribed",
  stoppedRenewals: "We no longer send renewal emails to {email}.",
  stoppedReminders: "We no longer send reminders of unfinished orders to {email}.",
  again: "Resubscribe",
  others: "You'll still get emails about orders, money and account security.",
} as const;
