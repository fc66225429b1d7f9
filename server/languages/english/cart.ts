/** The cart. */
export const cart = {} as const;
