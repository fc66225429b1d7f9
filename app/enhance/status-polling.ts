/**
 * A waiting page polls data-wait-url, which answers JSON, and reloads when its "state" differs from data-wait-state. Browsers
 * without scripts use the document's meta refresh.
 */

import { onPageChange } from "./each-page.ts";
import { fetchJson } from "./fetch-json.ts";
import { isPageLoading } from "./page-load-progress.ts";
import { pollMs } from "./timings.ts";

export function statusPolling(root: Document): void {
  let isLooking = false;
  const look = async () => {
    const waiting = root.querySelector<HTMLElement>("[data-wait-url]");
    isLooking = waiting !== null;
    if (waiting === null) return;
    if ((await hasMovedOn(waiting.dataset)) && !isPageLoading()) location.reload();
    else setTimeout(look, Number(waiting.dataset.waitMs ?? pollMs));
  };
  onPageChange(root, () => {
    if (!isLooking) void look();
  });
}

async function hasMovedOn({ waitUrl, waitState }: DOMStringMap): Promise<boolean> {
  if (waitUrl === undefined) return false;
  // A lost connection is not an answer, so keep polling.
  const { body } = await fetchJson(waitUrl);
  return body.state !== undefined && body.state !== waitState;
}
