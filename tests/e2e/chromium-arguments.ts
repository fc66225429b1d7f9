/** How Chromium is started for the tests: quiet, and without the work that no test looks at. */

/** Chromium heeds the last `--disable-features` alone, so what Playwright disables has to be said again. */
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
  // The suggestions under the address bar: two pages of Chromium's own for each window, half of what a window costs.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // A process kept ready for a site that a test's window never goes to.
  "SpareRendererForSitePerProcess",
  // A document that a test answers itself has no address on this machine, and would be refused the sandbox's files, which have.
  "LocalNetworkAccessChecks",
];

export const chromiumArguments = [
  // Chromium's sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  // Nothing but what a test asks for goes over the network.
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...disabledByPlaywright, ...unseen].join(",")}`,
];
