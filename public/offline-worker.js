/**
 * The service worker. When a page cannot be fetched it answers the one kept for that, which says whether the device is offline
 * or the store does not answer; it touches nothing else: no form that is posted, no file, no call. Registered by
 * app/enhance/offline-page.ts, with the language of its page as the query.
 */
const page = "/offline.html";
/** Ends with the first 8 digits of the SHA-256 of offline.html, so that browsers replace a changed page. A test compares them. */
const cacheName = "offline-d378c53a";
const language = location.search.slice(1) || "en";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepPage());
});
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  // A file that is asked for by name, such as an invoice, is no page: ours would be saved in its place.
  const isFile = /\.\w+$/.test(new URL(url).pathname);
  if (method === "GET" && mode === "navigate" && !isFile) event.respondWith(load(event));
});

async function keepPage() {
  const cache = await caches.open(cacheName);
  await cache.add(new Request(page, { cache: "reload" }));
}

async function tidy() {
  // The browser asks for the page while the worker still wakes up: without this every page would come later.
  await registration.navigationPreload?.enable();
  const old = (await caches.keys()).filter((name) => name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function load({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const kept = await caches.match(page);
    if (kept === undefined) throw error;
    const cause = navigator.onLine ? "silent" : "offline";
    const html = (await kept.text())
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace("<body>", `<body class="${cause}">`);
    return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
}
