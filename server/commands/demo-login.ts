/** Who the demo data lets in, apart from the data itself, so that what only prints it loads nothing else. Published in README.md. */
export const demoPassword = "demo-Pass-1";
export const demoEmails = { owner: "demo@example.com", viewer: "viewer@example.com" } as const;
