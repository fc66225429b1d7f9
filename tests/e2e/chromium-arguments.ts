/** Chromium's arguments for the tests: quiet, and without work that no test needs. */

/** Chromium uses only the last `--disable-features`, so Playwright's list has to be repeated. */
const disabledByPlaywright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

const unseen = [
  // Suggestions of the address bar: two internal pages for each window, half of a window's cost.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // A spare process for a site that a test's window never visits.
  "SpareRendererForSitePerProcess",
  // A response mocked by a test has no local address, so it could not load the sandbox's files, which have one.
  "LocalNetworkAccessChecks",
];

export const chromiumArguments = [
  // Chromium's sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  // Only requests of the tests use the network.
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...disabledByPlaywright, ...unseen].join(",")}`,
];
