/** Mails to the operator. */
export const operatorMail = {} as const;
