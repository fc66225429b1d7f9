/**
 * Watches who is signed in (data-user of the body) and what is being ordered (data-ordering). Mirrors both to local storage,
 * never the token (docs/decisions/security.md#sessions). While nobody is signed in, polls every 5 s for a sign-in in another tab, then
 * reloads the page. If something typed would be lost, it says so and lets the visitor choose.
 */
import * as paths from "#server/foundation/paths.ts";
import { fetchJson } from "./fetch-json.ts";
import { showNotificationBanner } from "./notification-banners.ts";
import { isPageLoading } from "./page-load-progress.ts";
import { pollMs } from "./timings.ts";

const ofUser = ["userId", "user", "firstname", "lastname", "customerId", "phone", "role"];
const ofOrder = ["item", "customerName", "selectedCust"];

export function sessionWatch(root: Document): void {
  let stop = () => {};
  // Read now: a React render removes the attribute.
  const { signedIn: notice = "" } = root.body.dataset;
  const follow = () => {
    stop();
    const reported = root.body.dataset.user;
    // A page that does not know, such as an error page, changes nothing.
    if (reported === undefined) return;
    const user: unknown = JSON.parse(reported);
    mirror(ofUser, user);
    if (user === null) stop = watch(root, notice);
  };
  const followOrder = () => {
    const reported = root.querySelector<HTMLElement>("[data-ordering]")?.dataset.ordering;
    mirror(ofOrder, reported === undefined ? null : JSON.parse(reported));
  };
  follow();
  followOrder();
  // A sign-in can happen on this page, because React shows the next page without loading it.
  new MutationObserver(follow).observe(root.body, { attributeFilter: ["data-user"] });
  new MutationObserver(followOrder).observe(root.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["data-ordering"],
  });
  root.addEventListener("submit", ({ target }) => {
    const isLogout = target instanceof HTMLFormElement && new URL(target.action).pathname === paths.logout();
    if (isLogout) withStorage((storage) => storage.clear());
  });
}

function mirror(keys: readonly string[], reported: unknown): void {
  withStorage((storage) => {
    for (const key of keys) {
      if (typeof reported === "object" && reported !== null && key in reported) {
        storage.setItem(key, String(Reflect.get(reported, key)));
      } else storage.removeItem(key);
    }
  });
}

/** Browsers may forbid storage. The shop does not depend on it. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(localStorage);
  } catch {
    // Storage is forbidden or full.
  }
}

/** @param notice text about a sign-in in another tab @returns a function that stops the watch */
function watch(root: Document, notice: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async () => {
    clearTimeout(timer);
    // A hidden page resumes polling when it becomes visible.
    if (root.visibilityState === "hidden") return;
    const signedIn = await isSignedIn();
    if (isOver) return;
    // The form being submitted may be the one that signs in.
    if (!signedIn || isPageLoading()) timer = setTimeout(look, pollMs);
    else {
      stop();
      if (hasBeenTyped(root)) say(root, notice);
      // Not reload(), which would resubmit a form if this page is its answer.
      else location.replace(here());
    }
  };
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    root.removeEventListener("visibilitychange", look);
  };
  root.addEventListener("visibilitychange", look);
  timer = setTimeout(look, pollMs);
  return stop;
}

async function isSignedIn(): Promise<boolean> {
  // A lost connection is not an answer, so keep polling.
  const { body } = await fetchJson(paths.validateToken());
  return body.valid === true;
}

/** Also true when the server sent the input back with errors. */
function hasBeenTyped(root: Document): boolean {
  if (root.querySelector(".error-summary") !== null) return true;
  const fields = root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    "input, textarea, select",
  );
  return [...fields].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const first = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(first, 0);
    }
    const isChecked = field instanceof HTMLInputElement && field.checked !== field.defaultChecked;
    return isChecked || field.value !== field.defaultValue;
  });
}

/** @param notice with its link as a tag */
function say(root: Document, notice: string): void {
  const [before = "", label = "", after = ""] = notice.split(/<\/?link>/);
  const link = root.createElement("a");
  link.href = here();
  link.textContent = label;
  showNotificationBanner("info", before, link, after);
}

/** The page's URL without its fragment, with which the browser would only scroll. */
function here(): string {
  return `${location.pathname}${location.search}`;
}
