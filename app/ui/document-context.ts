/** Hands the document what only the server has, without passing it through every component. Empty in a browser. */
import { createContext } from "react";

export interface DocumentContents {
  /** Marks this response's own scripts. */
  nonce?: string;
  /** For a route that asks for inline styles. */
  styles?: string;
}

export const DocumentContext = createContext<DocumentContents>({});
