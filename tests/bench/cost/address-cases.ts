/** Requests with hostile addresses, headers, cookies or methods. */
import { type Choose, encoded, get, inPath, type Made, madeOf, many } from "./parts.ts";
import { asHeader } from "./send.ts";
import { textNames, textOf } from "./texts.ts";
import type { Place } from "./walk.ts";

const cookieNames = [
  ...["session", "__Host-session", "__Host-desk", "__Host-draft", "draft"],
  ...["notification", "country", "language"],
];
const headerNames = [
  ...["accept", "accept-language", "accept-encoding", "user-agent", "if-none-match", "if-modified-since"],
  ...["range", "if-range", "referer", "origin", "content-type", "authorization", "x-forwarded-for"],
  ...["x-forwarded-host", "x-forwarded-proto", "forwarded", "sec-fetch-site", "purpose", "sec-purpose"],
  ...["idempotency-key", "x-request-id", "x-remix-request", "cache-control", "via", "prefer"],
];
const methods = ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "PROPFIND", "POST"];
const files = ["/robots.txt", "/favicon.ico", "/assets/nothing.js", "/manifest.webmanifest", "/icon-192.png"];
/** Above the number of headers that this Node accepts. */
const mostHeaders = 900;

const header = (text: string, bytes: number) => asHeader(textOf(text, bytes)) || "x";

export function addressCases({ pattern, path, queryNames }: Place, choose: Choose): Made[] {
  const [pathname = ""] = path.split("?");
  const [text, requested, data] = [choose(textNames), choose(textNames), choose(textNames)];
  const params = pattern.split("/").flatMap((part, at) => (part.startsWith(":") ? [at] : []));
  const param = params.length === 0 ? -1 : choose(params);
  const replaced = (by: string) =>
    param === -1 ? `${pathname}/${by}` : pathname.split("/").with(param, by).join("/");
  const name = choose([...queryNames, "q", "next"]);
  const dataOf = (bytes: number) => `_routes=${many(bytes, ",", (n) => `r${n}`)}`;
  const [inAddress, inQuery] = [madeOf("path", `${pattern} `), madeOf("query", `${pattern} `)];
  const inData = madeOf("data", `${pattern}.data `);
  return [
    inAddress(text, (bytes) => get(replaced(inPath(text, bytes)))),
    inAddress("deep", (bytes) => get(`${pathname}${inPath("segments", bytes)}`)),
    inQuery(`${name}: ${requested}`, (bytes) => get(`${pathname}?${name}=${encoded(requested, bytes)}`)),
    inQuery("many", (bytes) => get(`${pathname}?${many(bytes, "&", (n) => `p${n}=${n}`)}`)),
    inQuery(`${name}: repeated`, (bytes) => get(`${pathname}?${many(bytes, "&", (n) => `${name}=${n}`)}`)),
    inData("routes", (bytes) => get(`${pathname === "/" ? "/_root" : pathname}.data?${dataOf(bytes)}`)),
    inData(data, (bytes) => get(`${replaced(inPath(data, bytes))}.data`)),
  ];
}

export function headCases({ pattern, path }: Place, choose: Choose): Made[] {
  const [name, cookie, method] = [choose(headerNames), choose(cookieNames), choose(methods)];
  const [text, kept, sent] = [choose(textNames), choose(textNames), choose(textNames)];
  const [inHeader, inCookie] = [madeOf("header", `${pattern} `), madeOf("cookie", `${pattern} `)];
  const headers = (bytes: number) =>
    Object.fromEntries(Array.from({ length: Math.min(mostHeaders, bytes / 9) }, (_, n) => [`x-${n}`, "1"]));
  const cookies = (Cookie: string) => get(path, { Cookie });
  const body = (bytes: number) => (method === "HEAD" ? {} : { body: encoded(sent, bytes) });
  return [
    inHeader(`${name}: ${text}`, (bytes) => get(path, { [name]: header(text, bytes) })),
    inHeader("many", (bytes) => get(path, headers(bytes))),
    inCookie(`${cookie}: ${kept}`, (bytes) => cookies(`${cookie}=${encoded(kept, bytes)}`)),
    inCookie("many", (bytes) => cookies(many(bytes, "; ", (n) => `${n}=${n}`))),
    inCookie(`${cookie}: repeated`, (bytes) => cookies(many(bytes, "; ", () => `${cookie}=ImEi`))),
    madeOf("method", `${method} ${pattern} `)(sent, (bytes) => ({
      ...{ method, path, ...body(bytes) },
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    })),
  ];
}

export function fileCases(choose: Choose): Made[] {
  return files.flatMap((path) =>
    [...headerNames, "cookie"].map((name) => {
      const text = choose(textNames);
      return madeOf("file", `${path} ${name}: `)(text, (bytes) => get(path, { [name]: header(text, bytes) }));
    }),
  );
}

/** Requests for the routes of other addresses. @param version of the build, which the store requires */
export function manifestCases(version: string, choose: Choose): Made[] {
  const made = madeOf("manifest", "");
  const ask = (query: string, at = "/__manifest") => get(`${at}?version=${version}&${query}`);
  const deep = (bytes: number) => `p=${"/a".repeat(bytes / 2)}`;
  const text = choose(textNames);
  return [
    made("deep", (bytes) => ask(deep(bytes))),
    made("deep below ours", (bytes) => ask(`p=/order${"/a".repeat(bytes / 2)}`)),
    made("deep, encoded", (bytes) => ask(`p=${"%2Fa".repeat(bytes / 4)}`)),
    made("many", (bytes) => ask(many(bytes, "&", (n) => `p=/desk/a${n}`))),
    made("many deep", (bytes) => ask(many(bytes, "&", (n) => `p=/order/${n}${"/a".repeat(10)}`))),
    made("by dots", (bytes) => ask(deep(bytes), "/x/../__manifest")),
    made("by escaped dots", (bytes) => ask(deep(bytes), "/%2e/__manifest")),
    made("by a backslash", (bytes) => ask(deep(bytes), "/.\\__manifest")),
    made(text, (bytes) => ask(`p=/order/${encoded(text, bytes)}`)),
  ];
}
