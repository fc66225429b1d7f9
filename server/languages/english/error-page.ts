/** The error page and the page that was not found. */
export const errorPage = {} as const;
