/** The company's members and invitations. */
export const members = {} as const;
