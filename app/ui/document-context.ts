/**
 * Hands the document what no loader knows, without passing it through every component. A browser has only what it can read
 * from the document: the language and its messages.
 */
import { createContext } from "react";
import type { Brand } from "#server/foundation/brand.ts";

export interface DocumentContents {
  /** The nonce of this response's own scripts. */
  nonce?: string;
  language: string;
  /** The address of the browser's messages. */
  messages: string;
  /** Who the store is. Only the server renders what needs more of it than its name. */
  brand?: Brand;
  /** As whom a member of staff sees this page, and until what time. Such a page is not hydrated. */
  view?: { email: string; company: string; until: string } | undefined;
  /** Whether icons stand in the document itself. Never in one that is hydrated, whose scripts know their file alone. */
  drawsIcons?: boolean;
  /** The stylesheet, for a route that asks for inline styles. */
  styles?: string;
}

export const DocumentContext = createContext<DocumentContents>({ language: "en", messages: "" });
