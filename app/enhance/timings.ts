/**
 * How often an open page polls the server (docs/specification.md, section 9.3), for partner approval and for a sign-in in
 * another tab.
 */
export const pollMs = 5000;
