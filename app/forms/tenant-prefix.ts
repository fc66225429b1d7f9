/** The prefix of a Microsoft tenant, before .onmicrosoft.com: one rule for the form, the call and the live preview. */
export const prefixPattern = /^[a-z0-9]{1,27}$/;
export const prefixRule = "Use letters and digits only, up to 27: no hyphens or spaces";
