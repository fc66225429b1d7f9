/** What every page shares: header, footer, menus, notifications. */
export const shell = {
  skip: "Skip to main content",
  home: "Home",
  country: "Country: ",
  account: "Account",
  logIn: "Log In",
  logOut: "Log Out",
  close: "Close",
  copy: "Copy",
  copyNamed: "Copy the {label}",
  copied: "copied",
  copyByHand: "Select the text and copy it",
} as const;
