/** The form of a Microsoft tenant's prefix, before .onmicrosoft.com. A module of its own, because the live preview needs it. */
export const prefixPattern = /^[a-z0-9]{1,27}$/;
