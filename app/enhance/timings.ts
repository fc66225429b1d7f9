/**
 * How often an open page asks the server (docs/specification.md, section 9.3): for partner approval, and whether somebody has
 * signed in.
 */
export const pollMs = 5000;
