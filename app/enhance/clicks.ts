/** Handles clicks on matching elements, including ones that React adds later. */
export function onClick<Found extends HTMLElement = HTMLElement>(
  root: Document | HTMLElement | Window,
  selector: string,
  act: (found: Found, event: MouseEvent) => void,
): void {
  const on: GlobalEventHandlers = root;
  on.addEventListener("click", (event) => {
    const found = event.target instanceof Element ? event.target.closest<Found>(selector) : null;
    if (found !== null) act(found, event);
  });
}

/** Whether the browser will open a clicked link in this window. */
export function opensInThisWindow(event: MouseEvent): boolean {
  return !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey);
}
