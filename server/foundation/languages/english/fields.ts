/** What is wrong with a form's fields. A country whose numbers have rules of their own says them in its record: `ofCountry`. */
export const fields = {
  required: "{label} field is required.",
  tooLong: "{label} is too long.",
  missing: "This is required.",
  tooManyCharacters: "Use {count, plural, one {{count} character} other {{count} characters}} or fewer.",
  unexpected: "This isn't in the expected format.",
  unclean: "This text has characters we can't save. Remove them and try again.",
  chooseOne: "Please choose one",

  email: "Please enter your email",
  anEmail: "Please enter an email",
  emailForm: "Please enter a valid email",
  validEmail: "Please enter valid email",
  password: "Please enter your password",
  newPassword: "Please enter a new password.",
  currentPassword: "Please enter your current password.",
  passwordsDiffer: "Password do not match!",
  passwordLength: "Password must be at least 8 characters long.",
  firstName: "Please enter your first name",
  firstNameTooLong: "Your first name is too long",
  lastName: "Please enter your last name",
  lastNameTooLong: "Your last name is too long",
  code: "Please enter the code",
  codeForm: "The code has 8 digits",
  role: "Please choose a role",
  login: "Username or password must not be empty",
  loginEmail: "Username must be a valid Email address (e.g., you@company.com)",

  commitment: "Please choose a commitment",
  quantity: "Quantity required and it should be greater than 0",
  quantityLeast: "This plan starts at {count, plural, one {{count} license} other {{count} licenses}}.",
  quantityMost:
    "You can buy up to {count, plural, one {{count} license} other {{count} licenses}} in one order.",
  quantityHeld:
    "You have {held, plural, one {{held} license} other {{held} licenses}} and can have up to {most}, so you can add {room} more.",
  quantityFull:
    "You have {held, plural, one {{held} license} other {{held} licenses}} and the maximum is {most}, so you can't add more.",
  domain: "Domain is required",
  transferToken: "Please enter the transfer token",
  username: "Use letters, digits, dots, hyphens and underscores, starting with a letter or digit",
  companyAddress: "Please choose one of your company's addresses.",
  destination: "Please choose where to add the subscription.",
  base: "Please choose the subscription to add it to.",

  address: "Please check the address.",
  otherCountry: "This address is in a different country.",
  state: "Please enter a valid state",
  otherTerritory:
    "For a GST number that begins with 97, choose the state of your office. Without one, email {email} before you order.",
  /** A place that the country's post serves. */
  notSoldThere: "We don't sell to {place} yet.",
  postcode: "Please enter a valid {postcode}",
  pincodeElsewhere: "Pincode {pincode} is in {place}, not {state}. Correct the pincode or the state.",
  pincodeNotThere: "Pincode {pincode} isn't in {state}. Correct the pincode or the state.",
  phone: "Please enter valid phone number",
  ofCountry: "{problem}",
  registrationTooLong: "The registration number is too long.",
  gstNumber: "Please enter a GST number",
  gstNumberForm: "Please enter a valid GST number",
  gstNumberProblem: "Please enter a valid GST number. {problem}",
  gstOrPan: "Please enter a valid GST number or PAN. {problem}",
  gstState: "This GST number is registered in {state}. Choose that state, or check the number.",
  gstinLength: "A GST number has 15 characters; this one has {length}.",
  gstinForm: "A GST number looks like {example}.",
  gstinState: "{code} isn't a valid state code.",
  gstinMerged:
    "State code {code} ({name}) was merged into {into}. Enter your GST number that starts with {into}.",
  gstinNonResident:
    "This is the number of a non-resident taxpayer, which we can't invoice as an Indian business. Enter a regular GST number, or your PAN.",
  gstinOnlineService:
    "This is the number of an online service from abroad (OIDAR), which we can't invoice as an Indian business. Enter a regular GST number, or your PAN.",
  ownGstin: "This is our own GST number. Enter your company's number.",
  shortCompanyName:
    "With a GST number, the company name needs at least {count} characters. Enter it as in the GST register.",
  shortCity: "With a GST number, the city needs at least {count} characters. Enter its full name.",
  gstinCheckDigit: "One of the characters is mistyped: the last one doesn't match the rest.",
  panForm: "A PAN is 5 letters, 4 digits and a letter, such as {example}; a GST number has 15 characters.",
} as const;
