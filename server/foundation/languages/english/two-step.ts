/** Two-step sign-in: setting it up, and the page that asks for a code. */
export const twoStep = {
  title: "Two-step sign-in",
  lead: "With two-step sign-in, a stolen password isn't enough: signing in also needs a code from an app on your phone.",
  anyApp: "Use any authenticator app. Your password manager may include one.",
  begin: "Set up an authenticator app",
  confirmEmail: "Confirm your email first, so that nobody else can lock you out of your account.",

  scan: "Scan this code with your authenticator app.",
  qrLabel: "The key as a QR code",
  orType: "Or type this key into the app: <key>{key}</key>",
  thenConfirm: "Then enter the code that the app shows.",
  code: "Code",
  appCodeHint: "The six digits that the app shows for this account.",
  codeHint: "The six digits that your app shows now, or one of your recovery codes.",
  recoveryHint: "One of your recovery codes.",
  codeMissing: "Please enter the code",
  codeWrong:
    "That code is incorrect or has already been used. Enter the current code from your app, or a recovery code.",
  setUpCodeWrong: "That code is incorrect. Check that your phone's clock is right, then try again.",
  password: "Password",
  switchOn: "Turn on",
  setUpOver: "This request has expired or was already completed. Please start again.",
  hasOneAlready: "Two-step sign-in is already on.",
  endsOthers: "You'll stay signed in here and be signed out everywhere else.",

  isOn: "Two-step sign-in has been on since {date}.",
  passkeys:
    "{count, plural, =0 {Or use a passkey: your device's fingerprint, face or PIN} one {Your passkey} other {Your # passkeys}}",
  codesLeft:
    "{count, plural, =0 {You have no recovery codes left. Make new ones now.} one {You have # recovery code left. Make new ones soon.} other {You have # recovery codes left.}}",
  newPhone:
    "New phone? Turn off two-step sign-in, with a recovery code if you no longer have the old phone, then set it up again.",
  newCodesTitle: "New recovery codes",
  newCodesLead: "The old ones stop working immediately.",
  newCodes: "Create new codes",
  offTitle: "Turn off two-step sign-in",
  offLead: "You'll need only your password to sign in.",
  off: "Turn off",
  switchedOff: "Two-step sign-in is off.",

  keepTitle: "Save your recovery codes",
  keepLead:
    "Each one signs you in once if you lose your phone. We show them only here: print them, or save them with your passwords.",
  download: "Download codes",
  fileTitle: "Recovery codes for {store}, account {email}. Each works once.",
  kept: "I've saved them",

  requiredLead: "{company} requires two-step sign-in for all members. Set it up to continue.",
  requiredStays:
    "{company} requires two-step sign-in. If you turn it off, you'll have to set it up again before you can continue.",
  requiredHere: "Your company requires two-step sign-in. Please sign in on the website and set it up there.",
  ownerFirst: "Set up two-step sign-in for yourself first, under My Account.",

  enterTitle: "Enter a code",
  signingInAs: "You are signing in as <email>{email}</email>.",
  signIn: "Sign in",
  somebodyElse: "Sign in as someone else",
  lost: "Lost your phone? Enter a recovery code. Lost those too? <link>Contact support</link>.",
  signInOver: "Sign-in timed out. Please sign in again.",
  recoveryCodeUsed:
    "{count, plural, =0 {You signed in with your last recovery code. Create new ones in My Account.} one {You signed in with a recovery code. You have # left.} other {You signed in with a recovery code. You have # left.}}",
  signInOnSite: "This account has two-step sign-in. Please sign in on the website, where it asks for a code.",
} as const;
