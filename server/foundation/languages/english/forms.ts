/** What every form shares: error summary, optional fields, passwords, sending. */
export const forms = {
  next: "Next",
  problem: "There is a problem",
  /** Before the title of a page whose form was refused. */
  errorTitle: "Error: ",
  optional: "(optional)",
  email: "Email:",
  show: "Show",
  showPassword: "Show password",
  newPassword: "New Password",
  newPasswordHint: "At least 8 characters",
  confirmPassword: "Confirm New Password",
  username: "Username",
  kept: "{said}. What you typed is still on this page: don't close or reload it.",
  domainName: "Domain Name",
  domainNameHint:
    "You can't change this name later. It's for signing in: your email can use your own domain.",
  usernamePreview: "Your username will be <name>{name}</name>",
} as const;
