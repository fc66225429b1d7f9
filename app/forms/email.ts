/**
 * The email pattern of every form and call: a plain local part, and a domain that can receive mail. Quotes, comments, angle
 * brackets and spaces are excluded, since a mail program would read a different address from the stored one. So are "%" and
 * "!", which servers once used for relaying. Internationalised domains come as punycode. At most 64 characters before the
 * "@", and 254 in all.
 *
 * zod's own pattern has no length limit and rejects punycode top-level domains.
 */
export const emailPattern =
  /^(?=.{1,254}$)(?=.{1,64}@)[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/;
