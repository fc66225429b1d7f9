/** The company's members and invitations. */
export const members = {
  title: "Members",
  heading: "Members of {company}",
  noCompany: "You are not part of a company yet. Your company is set up with your first order.",
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
  invite: "Invite somebody",
  email: "Email",
  inviteHint: "They get a link that works once, for 7 days.",
  send: "Send invitation",
  onItsWay: "The invitation to {email} is on its way.",
  confirmToInvite: "Confirm your email, and you can invite people here and say what they may do.",

  twoStep: "Two-step sign-in",
  twoStepLead:
    "{count, plural, one {# of {all} members has} other {# of {all} members have}} set up two-step sign-in. If you require it, the others set it up before anything of the company opens to them. All members are told by email.",
  twoStepRequired:
    "Everybody who belongs to the company has to use two-step sign-in. {count, plural, one {# of {all} members has} other {# of {all} members have}} set it up.",
  twoStepOwnFirst: "To require it, <link>set it up for yourself</link> first.",
  requireTwoStep: "Require it of everybody",
  twoStepOptional: "Leave it to each member",
  twoStepIsRequired: "Two-step sign-in is required now. All members are told by email.",
  twoStepIsOptional: "Two-step sign-in is left to each member now. All members are told by email.",

  yourInvitation: "Your invitation",
  join: "Join {company}",
  invitedBy:
    "{inviter} has invited you to join as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  invitedBySomebody:
    "Somebody has invited you to join as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  logInToJoin: "There is an account for <email>{email}</email>. Log in with it, and you come back here.",
  logIn: "Log in",
  signedInAs: "You are signed in as <email>{email}</email>.",
  firstName: "First Name",
  lastName: "Last Name",
  password: "Password",
  passwordHint: "At least 8 characters",
  welcome:
    "Welcome to {company}. You joined as {role, select, owner {an owner} buyer {a buyer} approver {an approver} other {a viewer}}.",
  otherTitle: "This invitation is for somebody else",
  otherAddress:
    "You are signed in as <email>{email}</email>, and it was sent to another address. If that is yours too, log out and open the link again.",
  logOut: "Log out",
  overTitle: "This invitation no longer works",
  overWhy:
    "It has been used, withdrawn, or is older than seven days; or a part of the link is missing. Ask an owner of the company to send another.",
  joinedAlready: "Have you joined already? Then log in with the email that was invited.",
  toShop: "Go to the shop",

  ownersOnly: "Only an owner of {company} can do this.",
  buyersOnly: "Only an owner or buyer of {company} can do this.",
  ownerNeeded: "A company needs an owner. Make somebody else an owner first.",
  memberAlready:
    "{email} is already a member, as {role, select, owner {owner} buyer {buyer} approver {approver} other {viewer}}.",
  inviteOver: "This invitation no longer works: it has been used, withdrawn, or is older than seven days.",
  inviteOfAnother: "This invitation is for somebody else.",
} as const;
