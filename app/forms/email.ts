/**
 * What an email address may be, for every form and call: a plain local part, and a domain that mail can be sent to. Quotes, comments,
 * angle brackets and spaces are left out, since a mail program reads another address out of them than the one that is stored; so are
 * "%" and "!", by which servers once passed mail on. Domains in other scripts come as punycode. At most 64 characters before
 * the "@", and 254 in all.
 *
 * zod's own pattern has no length and refuses top-level domains in punycode.
 */
export const emailPattern =
  /^(?=.{1,254}$)(?=.{1,64}@)[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/;
