/**
 * Settings with which vendors may be asked as often as one likes: tests are quicker than a vendor's minute allows.
 * tests/integration/platform/throttle.test.ts is about the quotas.
 */
export const unthrottled = {
  SANDBOX_GOOGLE_CALLS_PER_MINUTE: "0",
  GOOGLE_CALLS_PER_MINUTE: "0",
  MICROSOFT_CALLS_PER_MINUTE: "0",
} as const;
