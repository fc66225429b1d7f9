/** My Subscriptions. */
export const subscriptions = {} as const;
