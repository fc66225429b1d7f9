/** What the shared script says: see app/ui/script-texts.ts. */
export const scripts = {
  offline: "This device is offline. Nothing you typed is lost: send it again when the connection is back.",
  offlineReason: "this device is offline",
  silent: "The store does not answer. Nothing you typed is lost: send it again in a minute.",
  silentReason: "the store does not answer",
  signedIn:
    "You have signed in in another window. What you typed here is kept until you leave. <link>Show this page signed in</link>",
} as const;
