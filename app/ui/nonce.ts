/** Hands this response's script nonce to the document without passing it through every component. */
import { createContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);
