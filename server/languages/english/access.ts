/** Login, sign-up, passwords, Outlook, and links from mails. */
export const access = {} as const;
