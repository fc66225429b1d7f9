/** Hands server-only data to the document without passing it through every component. Empty in a browser. */
import { createContext } from "react";

export interface DocumentContents {
  /** The nonce of this response's own scripts. */
  nonce?: string;
  /** The stylesheet, for a route that asks for inline styles. */
  styles?: string;
}

export const DocumentContext = createContext<DocumentContents>({});
