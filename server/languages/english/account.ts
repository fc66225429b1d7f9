/** My Account. */
export const account = {} as const;
