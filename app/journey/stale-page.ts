/** Reads a step's data again after a refused form, because old data on the page, such as a total, may be why it was refused. */
import type { ShouldRevalidateFunction } from "@remix-run/react";

const badRequest = 400;

/** Invalid fields (400) say nothing about the rest of the page. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === undefined || actionStatus < badRequest
    ? defaultShouldRevalidate
    : actionStatus > badRequest;
