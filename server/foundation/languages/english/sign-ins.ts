/** The sign-ins at identity providers that open an account: connecting and removing them. */
export const signIns = {
  title: "Connected accounts",
  lead: "Sign in here with an account you already have, instead of a password.",
  list: "Connected",
  none: "No connected accounts yet.",
  since: "Connected on <since>{since}</since>.",
  remove: "Remove<hidden> {provider}</hidden>…",
  removeNamed: "Remove {provider}",
  removed: "{provider} removed. You've been signed out everywhere else.",
  goneAlready: "It has already been removed.",
  lastWay:
    "This is the only way to sign in to your account. Set a password, add a passkey or connect another account first.",
  addTitle: "Connect another account",
  standsOnPassword:
    "If you set a new password, you'll need to reconnect accounts that use a different email address.",
  confirmEmail: "Confirm your email before you connect an account.",
  connectTitle: "Connect {provider}?",
  connectNamed:
    "Anyone who can sign in to {provider} as <email>{email}</email> will be able to sign in to your account.",
  connectNameless:
    "Anyone who can sign in to this {provider} account will be able to sign in to your account.",
  connect: "Connect {provider}",
  connectedNow: "{provider} connected. You can now sign in with it.",
  already: "This {provider} account is already connected.",
  over: "This request has expired or was already completed. Please connect it again.",
} as const;
