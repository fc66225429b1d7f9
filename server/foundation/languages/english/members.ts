/** The company's members and invitations. */
export const members = {
  title: "Members",
  heading: "Members of {company}",
  noCompany: "You're not part of a company yet. We'll set yours up with your first order.",
  explore: "Explore Services",
  whoMay:
    "Owners place orders and manage members. Buyers place orders. Approvers approve them. Viewers can only view.",

  role: "Role",
  viewer: "Viewer",
  approver: "Approver",
  buyer: "Buyer",
  owner: "Owner",
  you: "(you)",
  roleOf: "Role of {name}",
  save: "Save<hidden> the role of {name}</hidden>",
  remove: "Remove<hidden> {name}</hidden>…",
  youNoLonger: "You will no longer see the company's subscriptions and orders.",
  theyNoLonger: "{name} will no longer see the company's subscriptions and orders.",
  removeYourself: "Remove yourself",
  removeNamed: "Remove {name}",
  roleChanged: "Role changed.",
  removed: "Member removed.",

  invited: "Invited",
  invitedAs:
    "as {role, select, owner {owner} buyer {buyer} approver {approver} other {viewer}}, until <date>{date}</date>",
  withdraw: "Withdraw<hidden> the invitation to {email}</hidden>",
  withdrawn: "Invitation withdrawn.",
  invite: "Invite a member",
  email: "Email",
  inviteHint: "They'll get a link that works once and expires in 7 days.",
  send: "Send invitation",
  onItsWay: "The invitation to {email} is on its way.",
  confirmToInvite: "Confirm your email to invite people and set their roles.",

  twoStep: "Two-step sign-in",
  twoStepLead:
    "{count, plural, one {# of {all} members has} other {# of {all} members have}} set up two-step sign-in. If you require it, the others must set it up before they can open anything belonging to the company. We'll email all members.",
  twoStepRequired:
    "All members must use two-step sign-in. {count, plural, one {# of {all} members has} other {# of {all} members have}} set it up.",
  twoStepOwnFirst: "To require it, <link>set it up for yourself</link> first.",
  requireTwoStep: "Require for all members",
  twoStepOptional: "Make optional",
  twoStepIsRequired: "Two-step sign-in is now required. We're emailing all members.",
  twoStepIsOptional: "Two-step sign-in is now optional. We're emailing all members.",

  yourInvitation: "Your invitation",
  join: "Join {company}",
  invitedBy:
    "{inviter} has invited you to join as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  invitedBySomebody:
    "Someone has invited you to join as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  logInToJoin: "<email>{email}</email> already has an account. Sign in to accept the invitation.",
  logIn: "Sign in",
  signedInAs: "You're signed in as <email>{email}</email>.",
  firstName: "First Name",
  lastName: "Last Name",
  password: "Password",
  passwordHint: "At least 8 characters",
  welcome:
    "Welcome to {company}. You joined as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  otherTitle: "This invitation is for someone else",
  otherAddress:
    "You're signed in as <email>{email}</email>, but the invitation was sent to another address. If that's yours too, sign out and open the link again.",
  logOut: "Sign out",
  overTitle: "This invitation no longer works",
  overWhy:
    "It has been used or withdrawn, is more than 7 days old, or part of the link is missing. Ask an owner of the company to send another.",
  joinedAlready: "Already joined? Sign in with the email that was invited.",
  toShop: "Go to store",

  ownersOnly: "Only an owner of {company} can do this.",
  buyersOnly: "Only an owner or buyer of {company} can do this.",
  ownerNeeded: "A company needs an owner. Make someone else an owner first.",
  memberAlready:
    "{email} is already a member, as {role, select, owner {owner} buyer {buyer} approver {approver} other {viewer}}.",
  inviteOver: "This invitation no longer works: it has been used or withdrawn, or is more than 7 days old.",
  inviteOfAnother: "This invitation is for someone else.",
} as const;
