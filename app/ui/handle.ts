/** What a route asks of the document around it: `export const handle: Handle = { hydrate: true }`. */
export interface Handle {
  /** Its form gains from React, which the page then loads; without it a page ships none. */
  hydrate?: true;
  /**
   * Often met first: the styles it needs stand in the document, so that nothing is waited for before it can be seen. Not for a page
   * that is hydrated: a browser does not have them to render with.
   */
  inlineStyles?: true;
  /** Depends on its address alone for whoever comes without a cookie: a proxy may keep the document and give it to others. */
  sameForEveryone?: true;
}

export function asksFor(handle: unknown, what: keyof Handle): boolean {
  return (
    typeof handle === "object" && handle !== null && what in handle && Reflect.get(handle, what) === true
  );
}
