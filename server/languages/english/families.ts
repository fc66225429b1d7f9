/** What the steps say for one family. */
export const families = {
  setUp: "Set up your Subscription",
  setUpGoogle: "Set up your Google Subscription",
} as const;
