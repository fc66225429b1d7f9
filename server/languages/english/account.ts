/** My Account. */
export const account = {
  title: "My Account",
  name: "Name",
  email: "Email",
  mobileNumber: "Mobile Number",
  company: "Company",
  companyDetails: "Company details",
  changePassword: "Change your password",
  twoStep: "Two-step sign-in",
  passkeys: "Passkeys",
  signIns: "Connected accounts",
  notifications: "Notifications",
  notConfirmed: "Your email is not confirmed yet: you can place orders, but you cannot invite anyone yet.",
  linkConfirms:
    "We'll email a link to <email>{email}</email>. Use it to choose a password, then sign in again.",
  emailLink: "Email me the link",
  linkEmailed: "We've emailed a link to {email}. If you don't see it, check your spam folder.",
  confirmFirst:
    "Confirm your email before you invite people, change their roles, or have us email anyone else. Get the link from My Account.",

  sessions: "Where you are signed in",
  browser: "Browser",
  signedIn: "Signed in",
  lastUsed: "Last used",
  place: "Location",
  thisOne: "This device",
  device: "{browser} on {system}",
  deviceUnknown: "An unknown browser",
  network: "Network {network}",
  placeOf: "{country}, network {network}",
  placeUnknown: "Unknown location",
  endSession: "Sign out<hidden> of {device}</hidden>",
  sessionEnded: "Signed out of that device.",
  when: "{date}, {time}",
  signsOutHere:
    "Lost a device, or see something you don't recognise? Sign out on all devices, including this one.",
  signOutEverywhere: "Sign out everywhere",
  signedOut: "You've been signed out on all devices.",

  setPassword: "Set a password",
  linkSetsPassword:
    "Your account has no password yet. We'll email a link to <email>{email}</email>. Use it to choose one, then sign in again.",
  noPassword: "This account has no password yet. Get an email link to set one.",
  currentPassword: "Current Password",
  codeInstead:
    "Your account has no password. Before you change how you sign in, we'll email a code to <email>{email}</email>. Each change needs a new code.",
  emailCode: "Email me a code",
  codeEmailed: "We've emailed a code to {email}. If you don't see it, check your spam folder.",
  mailedCode: "Code from our email",
  mailedCodeHint: "16 characters. It works once, for 15 minutes.",
  mailedCodeWrong: "That code is incorrect, has expired or was already used. Request a new one.",
  currentPasswordWrong: "Your current password is incorrect.",
  staysHere:
    "You'll stay signed in here and be signed out everywhere else. Account links we emailed earlier, and invitations you've sent, will stop working.",
  change: "Change password",
  back: "Back to My Account",
  forgotten: "Forgotten your current password? <link>Reset it</link>.",
  passwordChanged: "Password changed. You've been signed out everywhere else.",

  sync: "Sync",
} as const;
