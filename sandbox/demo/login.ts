/**
 * The demo logins. Separate from the demo data, so that code which only prints them loads nothing else. Published in
 * README.md.
 */
export const demoPassword = "demo-Pass-1";
export const demoEmails = { owner: "demo@example.com", viewer: "viewer@example.com" } as const;
/** The Desk admin, without a second factor. */
export const demoStaffEmail = "staff@example.com";
