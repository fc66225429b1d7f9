/** A refused step reloads its data, because stale data such as a total may have caused the refusal. */
import { expect, test } from "vitest";
import { shouldRevalidate } from "#app/journey/stale-page.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const revalidates = (actionStatus?: number) => {
  const url = new URL("https://store.test/order");
  return shouldRevalidate({
    currentUrl: url,
    currentParams: {},
    nextUrl: url,
    nextParams: {},
    defaultShouldRevalidate: false,
    ...(actionStatus !== undefined && { actionStatus }),
  });
};

test("reloads the page after a refusal, but not for a wrong field", () => {
  expect(revalidates(409)).toBe(true);
  expect(revalidates(503)).toBe(true);
  expect(revalidates(400)).toBe(false);
});

test("follows the router's default after anything else", () => {
  expect(revalidates()).toBe(false);
  expect(revalidates(303)).toBe(false);
});

test("applies to every step with a form, including the starts of journeys", () => {
  const steps = filesUnder("app/journey", /\.tsx$/).filter((file) => {
    const text = textOf(file);
    return text.includes("export const action") && /handle\b.*hydrate: true/.test(text);
  });
  expect(steps.length).toBeGreaterThan(8);
  expect(
    steps.filter((file) => !/export \{ shouldRevalidate \} from "\.\.\/stale-page\.ts"/.test(textOf(file))),
  ).toEqual([]);
});
