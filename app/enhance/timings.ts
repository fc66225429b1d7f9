/** How often an open page asks the server (SPEC section 9): for partner approval, and whether somebody has signed in. */
export const pollMs = 5000;
