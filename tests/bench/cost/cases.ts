/** Requests of a given size for every address, form and call, hostile in each part of a request. The seed selects among them. */
import { seededRandom } from "#tests/support/seeded-random.ts";
import { cookieOf } from "../throughput.ts";
import { addressCases, fileCases, headCases, manifestCases } from "./address-cases.ts";
import { callCases, formCases } from "./body-cases.ts";
import type { Choose, Made } from "./parts.ts";
import type { Place, Walk, Who } from "./walk.ts";

export interface Case extends Made {
  who: Who;
}

/** @param version of the build, which the store requires in requests for its routes */
export function casesOf({ places, forms, calls }: Walk, seed: number, version: string): Case[] {
  const random = seededRandom(seed);
  const choose: Choose = (among) => {
    const chosen = among[random(0, among.length)];
    if (chosen === undefined) throw new Error("Expected something to choose from");
    return chosen;
  };
  const people = [...new Map(places.map((place): [Who, Place] => [place.who, place])).values()];
  return [
    ...places.flatMap((place) => as(place, [...addressCases(place, choose), ...headCases(place, choose)])),
    ...people.flatMap((person) => as(person, [...fileCases(choose), ...manifestCases(version, choose)])),
    ...people.flatMap((person) =>
      as(
        person,
        calls.flatMap((call) => callCases(call, choose)),
      ),
    ),
    ...forms.flatMap((form) => as(form, formCases(form, choose))),
  ];
}

/** The same requests with this user's cookies. */
function as({ who, browser }: Pick<Place, "who" | "browser">, cases: readonly Made[]): Case[] {
  return cases.map((each) => ({
    ...each,
    who,
    make(bytes) {
      const sent = each.make(bytes);
      const cookies = [cookieOf(browser), sent.headers.Cookie ?? ""].filter((each) => each !== "");
      return { ...sent, headers: { ...sent.headers, Cookie: cookies.join("; ") } };
    },
  }));
}
