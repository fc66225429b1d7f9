/** Reads a step's data again after a refused form, because old data on the page, such as a total, may be why it was refused. */
import type { ShouldRevalidateFunction } from "@remix-run/react";

const badRequest = 400;

/** Remix's default keeps the data after any refusal, which is right only for invalid fields (400). */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || (actionStatus !== undefined && actionStatus > badRequest);
