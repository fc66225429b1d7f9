/** What the shared script says: see app/ui/script-texts.ts. */
export const scripts = {
  offline: "You're offline. What you typed is still on this page: don't close or reload it.",
  offlineReason: "you're offline",
  silent: "The store isn't responding. What you typed is still on this page: don't close or reload it.",
  silentReason: "the store isn't responding",
  signedIn:
    "You have signed in in another window. What you typed here is kept until you leave. <link>Show this page signed in</link>",
} as const;
