/** Reads a step's data again after a refused form: what stands on the page may be why it was refused, such as an old total. */
import type { ShouldRevalidateFunction } from "@remix-run/react";

const badRequest = 400;

/** Remix would keep the data after any refusal. After wrong fields alone (400) that is right. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || (actionStatus !== undefined && actionStatus > badRequest);
