/** The page of a tenant's administrator. */
export const approval = {} as const;
