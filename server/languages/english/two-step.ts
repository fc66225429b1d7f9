/** Two-step sign-in: setting it up, and the page that asks for a code. */
export const twoStep = {
  title: "Two-step sign-in",
  lead: "With two-step sign-in, a stolen password alone opens nothing: whoever signs in also needs a code from an app on your phone.",
  anyApp: "Any authenticator app will do. Your password manager may be one already.",
  begin: "Set up an authenticator app",
  confirmEmail: "Confirm your email first, so that nobody else can lock you out of your account.",

  scan: "Scan this code with your authenticator app.",
  qrLabel: "The key as a QR code",
  orType: "Or type this key into the app: <key>{key}</key>",
  thenConfirm: "Then enter the code that the app shows.",
  code: "Code",
  appCodeHint: "The six digits that the app shows for {store}.",
  codeHint: "The six digits that your app shows now, or one of your recovery codes.",
  codeMissing: "Please enter the code",
  codeWrong:
    "This code is not right, or it was used already. Enter the one that your app shows now, or a recovery code.",
  setUpCodeWrong: "This is not the code that your app shows. Check that your phone's clock is right.",
  password: "Password",
  switchOn: "Switch on",
  anotherKey: "Start again with a new key",
  setUpOver: "This took too long, or it was done already. Please start again.",
  hasOneAlready: "Two-step sign-in is on already.",
  endsOthers: "You stay signed in here and are signed out everywhere else.",

  isOn: "Two-step sign-in is on since {date}.",
  codesLeft:
    "{count, plural, =0 {You have no recovery codes left. Make new ones now.} one {You have # recovery code left. Make new ones soon.} other {You have # recovery codes left.}}",
  newPhone:
    "A new phone? Switch two-step sign-in off, with a recovery code if the old phone is gone, and set it up again.",
  newCodesTitle: "New recovery codes",
  newCodesLead: "The old ones stop working at once.",
  newCodes: "Make new codes",
  offTitle: "Switch off",
  offLead: "Your password alone will open the account again.",
  off: "Switch off",
  switchedOff: "Two-step sign-in is off.",

  keepTitle: "Keep your recovery codes",
  keepLead:
    "Each signs you in once if you lose your phone. They are shown only here: print them, or save them where you keep your passwords.",
  download: "Save as a file",
  fileTitle: "Recovery codes for {store}, account {email}. Each works once.",
  kept: "I have kept them",

  enterTitle: "Enter a code",
  signingInAs: "You are signing in as <email>{email}</email>.",
  signIn: "Sign in",
  somebodyElse: "Sign in as somebody else",
  lost: "Lost your phone? Enter a recovery code. Lost those too? <link>Contact support</link>.",
  signInOver: "Signing in took too long. Please sign in again.",
  recoveryCodeUsed:
    "{count, plural, =0 {You signed in with your last recovery code. Make new ones under My Account.} one {You signed in with a recovery code. # is left.} other {You signed in with a recovery code. # are left.}}",
  signInOnSite: "This account has two-step sign-in. Please sign in on the website, where it asks for a code.",
} as const;
