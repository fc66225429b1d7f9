/** Options that a route requests from the document: `export const handle: Handle = { hydrate: true }`. */
export interface Handle {
  /** Loads React for pages whose form benefits from it. Other pages ship no React. */
  hydrate?: true;
  /**
   * Inlines the styles of the first screen for pages that visitors often see first, so that nothing blocks it. The page links
   * to the whole stylesheet where the rest begins. Not for hydrated pages, because the browser has no copy of it to hydrate
   * with.
   */
  inlineStyles?: true;
  /** Adds the styles of lists, tables of plans and documents (styles/pages.css), which no other page waits for. */
  pageStyles?: true;
  /** A Desk page: with Desk's header and styles. Never hydrated. */
  desk?: true;
  /** A page of a few kB without any script, whose form may lead to the payment provider's page. Never hydrated. */
  noScripts?: true;
  /** Allows a proxy to cache the document: for a visitor without a cookie the page depends only on its URL. */
  publiclyCacheable?: true;
}

export function hasHandleFlag(handle: unknown, what: keyof Handle): boolean {
  return (
    typeof handle === "object" && handle !== null && what in handle && Reflect.get(handle, what) === true
  );
}
