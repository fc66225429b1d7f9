/** Refusals and problems of fields. */
export const errors = {} as const;
