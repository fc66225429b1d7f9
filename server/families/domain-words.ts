/** What the checks of every vendor's domains say alike (docs/specification.md, section 5). */
export const notADomain = "Please enter a valid domain (e.g., yourcompany.com)";
export const domainAvailable = "Domain available!";
export const domainNotChecked = "an error occurred while validating the domain";
