/**
 * A page that waits for the server says where it asks: data-wait-url answers JSON, and when its "state" is no longer
 * data-wait-state the page is loaded again. Scriptless browsers have the meta refresh of the document instead.
 */
import { ask } from "./ask.ts";
import { onEachPage } from "./each-page.ts";
import { pollMs } from "./timings.ts";

export function waitingPages(root: Document): void {
  let isLooking = false;
  const look = async () => {
    const waiting = root.querySelector<HTMLElement>("[data-wait-url]");
    isLooking = waiting !== null;
    if (waiting === null) return;
    if (await hasMovedOn(waiting.dataset)) location.reload();
    else setTimeout(look, Number(waiting.dataset.waitMs ?? pollMs));
  };
  onEachPage(root, () => {
    if (!isLooking) void look();
  });
}

async function hasMovedOn({ waitUrl, waitState }: DOMStringMap): Promise<boolean> {
  if (waitUrl === undefined) return false;
  // A lost connection is not an answer: keep asking.
  const { body } = await ask(waitUrl);
  return body.state !== undefined && body.state !== waitState;
}
