/** Downloads from Desk: bytes, and the content of a zip or a CSV. */
import { unzipSync } from "fflate";
import { csvRows } from "#server/foundation/csv.ts";
import type { HttpBrowser } from "./http-browser.ts";

export interface Download {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** Uses fetch, because HttpBrowser reads text and a zip is bytes. */
export async function download(browser: HttpBrowser, path: string): Promise<Download> {
  const cookies = Object.entries(browser.cookies()).map(([name, value]) => `${name}=${value}`);
  const response = await fetch(new URL(path, browser.origin), {
    headers: { Cookie: cookies.join("; "), "X-Forwarded-For": browser.address },
    redirect: "manual",
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

/** The files of a zip by name. @throws Error for anything else */
export function filesIn(zip: Uint8Array): Map<string, Uint8Array> {
  return new Map(Object.entries(unzipSync(zip)));
}

/** The lines of a CSV file, as objects keyed by its header. */
export async function linesOf(bytes: Uint8Array): Promise<Record<string, string>[]> {
  async function* pieces() {
    yield new TextDecoder().decode(bytes);
  }
  const rows: string[][] = [];
  for await (const row of csvRows(pieces())) rows.push(row);
  const [names = [], ...lines] = rows;
  return lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index] ?? ""])));
}
