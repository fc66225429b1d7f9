/**
 * A page that waits for the server says where it waits: data-wait-url answers JSON, and when its "state" is no longer
 * data-wait-state the page is loaded again. The meta refresh that serves scriptless browsers is then not needed.
 */
const pollMs = 5000;

export function waitingPages(root: Document): void {
  const waiting = root.querySelector<HTMLElement>("[data-wait-url]");
  if (waiting === null) return;
  const { waitUrl, waitState } = waiting.dataset;
  if (waitUrl === undefined) return;
  const timer = setInterval(async () => {
    const response = await fetch(waitUrl, { headers: { Accept: "application/json" } }).catch(() => null);
    // A lost connection is not an answer: keep asking.
    if (response === null || !response.ok) return;
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "state" in body && body.state !== waitState) {
      clearInterval(timer);
      location.reload();
    }
  }, pollMs);
}
