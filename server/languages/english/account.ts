/** My Account. */
export const account = {
  title: "My Account",
  name: "Name",
  email: "Email",
  mobileNumber: "Mobile Number",
  company: "Company",
  companyDetails: "Details of your company",
  changePassword: "Change your password",
  twoStep: "Two-step sign-in",
  passkeys: "Passkeys",
  signIns: "Sign-ins elsewhere",
  notifications: "Notifications",
  notConfirmed: "Your email is not confirmed yet: you can place orders, but you cannot invite anyone yet.",
  linkConfirms:
    "We will email a link to <email>{email}</email>; with it you choose a password, and sign in again.",
  emailLink: "Email me the link",
  linkEmailed: "We have emailed a link to {email}. If no email arrives, look in your spam folder.",
  confirmFirst:
    "Please confirm your email before you invite people or change what they may do. My Account mails you the link.",

  sessions: "Where you are signed in",
  browser: "Browser",
  signedIn: "Signed in",
  lastUsed: "Last used",
  place: "Place",
  thisOne: "This one",
  device: "{browser} on {system}",
  deviceUnknown: "An unknown browser",
  network: "Network {network}",
  placeOf: "{country}, network {network}",
  placeUnknown: "An unknown place",
  endSession: "End<hidden> the session in {device}</hidden>",
  sessionEnded: "That session is ended.",
  when: "{date}, {time}",
  signsOutHere:
    "Does something look wrong, or is a device lost? This signs you out on every device, including this one.",
  signOutEverywhere: "Sign out everywhere",
  signedOut: "You are signed out everywhere.",

  setPassword: "Set a password",
  linkSetsPassword:
    "Your account has no password yet. We will email a link to <email>{email}</email>; with it you choose one, and sign in again.",
  noPassword: "This account has no password yet: set one with a mailed link.",
  currentPassword: "Current Password",
  currentPasswordWrong: "This is not your current password.",
  staysHere:
    "You stay signed in here and are signed out everywhere else. Links to your account emailed before, and invitations you have sent, no longer work.",
  change: "Change password",
  back: "Back to My Account",
  forgotten: "Forgotten your current password? <link>Reset it</link>.",
  passwordChanged: "Your password is changed. You are signed out everywhere else.",

  sync: "Sync",
} as const;
