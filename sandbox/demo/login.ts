/**
 * The demo logins. Separate from the demo data, so that code which only prints them loads nothing else. Published in
 * README.md.
 */
export const demoPassword = "demo-Pass-1";
export const demoEmails = { owner: "demo@example.com", viewer: "viewer@example.com" } as const;
/** The admin at the desk, without a second factor. */
export const demoStaffEmail = "staff@example.com";
