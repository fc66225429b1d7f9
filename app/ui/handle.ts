/** What a route requests from the document: `export const handle: Handle = { hydrate: true }`. */
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
  /** A page of the desk: with its header, in place of the store's, and its own styles. Never hydrated. */
  desk?: true;
  /** A page of a few kB that has no script at all, and whose form may lead to the payment provider's page. Never hydrated. */
  noScripts?: true;
  /** For a visitor without a cookie the page depends on its address alone, so a proxy may cache the document. */
  publiclyCacheable?: true;
}

export function hasHandleFlag(handle: unknown, what: keyof Handle): boolean {
  return (
    typeof handle === "object" && handle !== null && what in handle && Reflect.get(handle, what) === true
  );
}
