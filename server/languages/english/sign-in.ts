/** The sign-in steps and the words of each family in them. */
export const signIn = {} as const;
