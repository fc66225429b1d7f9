/**
 * Settings without quotas for vendors: tests are faster than a vendor's calls per minute.
 * tests/integration/platform/throttle.test.ts covers the quotas.
 */
export const unthrottled = {
  SANDBOX_GOOGLE_CALLS_PER_MINUTE: "0",
  GOOGLE_CALLS_PER_MINUTE: "0",
  MICROSOFT_CALLS_PER_MINUTE: "0",
} as const;
