/** Compressed documents decompress to the original, regardless of size and content. */
import { randomBytes } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encode, encodingFor } from "#server/foundation/web/encoding.ts";

const opened = { br: brotliDecompressSync, gzip: gunzipSync, identity: (whole: Uint8Array) => whole };

const documents = {
  "nothing at all": Buffer.alloc(0),
  "one byte": Buffer.from("a"),
  "a page": Buffer.from("<p>₹79 a seat per month</p>".repeat(2_000)),
  "a large file": Buffer.from("one line of a list\n".repeat(200_000)),
  // Compression makes it larger and produces several chunks.
  "random bytes": randomBytes(300_000),
};

describe.each(["br", "gzip", "identity"] as const)("as %s", (encoding) => {
  it.each(Object.entries(documents))("restores %s", async (_, document) => {
    expect(Buffer.from(opened[encoding](await encode(document, encoding))).equals(document)).toBe(true);
  });

  it("keeps concurrent documents apart", async () => {
    const each = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(`page ${index} `.repeat(index * 20 + 1)),
    );
    const encoded = await Promise.all(each.map((document) => encode(document, encoding)));
    expect(encoded.map((one) => Buffer.from(opened[encoding](one)).toString())).toEqual(each.map(String));
  });
});

it("makes a page smaller", async () => {
  const page = documents["a page"];
  for (const encoding of ["br", "gzip"] as const) {
    expect((await encode(page, encoding)).length).toBeLessThan(page.length / 20);
  }
});

it.each([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["", "identity"],
  ["br;q=0, gzip", "identity"],
] as const)("answers a request that accepts %j with %s", (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});
