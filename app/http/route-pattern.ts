/** The pattern of the route that answers a path, such as "/orders/:id/invoice": a name for it without personal data. */

/** The parts of a route in the build that this file needs. */
export interface BuiltRoute {
  id: string;
  parentId?: string | undefined;
  path?: string | undefined;
  index?: boolean | undefined;
}

interface Pattern {
  pattern: string;
  rank: number;
  matches: RegExp;
}

/** Suffix that single-fetch adds to a page's path to request its data. */
const dataSuffix = /\.data$/;

/**
 * @param routes as in the build
 * @returns a function that finds the pattern of a path; "none" when no route matches
 */
export function patternsOf(
  routes: Readonly<Record<string, BuiltRoute | undefined>>,
): (path: string) => string {
  const isParent = new Set(Object.values(routes).flatMap((route) => route?.parentId ?? []));
  const patterns = Object.values(routes)
    .flatMap((route) => (route === undefined || isParent.has(route.id) ? [] : [patternOf(route, routes)]))
    .toSorted(byRank);
  return (path) => {
    const plain = path === "/_root.data" ? "/" : path.replace(dataSuffix, "").replace(/(?<=.)\/$/, "");
    return patterns.find(({ matches }) => matches.test(plain))?.pattern ?? "none";
  };
}

function patternOf(route: BuiltRoute, routes: Readonly<Record<string, BuiltRoute | undefined>>): Pattern {
  const parts: string[] = [];
  for (let at: BuiltRoute | undefined = route; at !== undefined; ) {
    parts.unshift(...(at.path ?? "").split("/").filter((part) => part !== ""));
    at = at.parentId === undefined ? undefined : routes[at.parentId];
  }
  const source = parts.map((part) => {
    if (part === "*") return "(?:/.*)?";
    return part.startsWith(":") ? "/[^/]+" : `/${part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")}`;
  });
  return {
    pattern: `/${parts.join("/")}`,
    rank: rankOf(parts),
    matches: new RegExp(`^${source.join("") || "/"}$`),
  };
}

/** Sorts like the router (`rankRouteBranches`): static segments first, then parameters, splats last. */
function byRank(one: Pattern, other: Pattern): number {
  return other.rank - one.rank;
}

function rankOf(segments: readonly string[]): number {
  const rest = segments.includes("*") ? -2 : 0;
  const named = segments.filter((segment) => segment !== "*");
  return segments.length + rest + named.reduce((sum, each) => sum + (each.startsWith(":") ? 3 : 10), 0);
}
