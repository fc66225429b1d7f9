/** Format of a Microsoft tenant's prefix, before .onmicrosoft.com. A separate module, because the live preview needs it. */
export const prefixPattern = /^[a-z0-9]{1,27}$/;
