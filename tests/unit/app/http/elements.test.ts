import { expect, test } from "vitest";
import { countElements } from "#app/http/elements.ts";

test.each([
  ["<!DOCTYPE html><html><head></head><body><p>a</p><br/></body></html>", 5],
  ["<p><!-- -->a</p>", 1],
  ['<svg><linearGradient id="a"></linearGradient></svg>', 2],
  ["<p>1 &lt;b</p>", 1],
  ['<p title="&lt;b&gt;"></p>', 1],
  ['<script nonce="1">if (a<b) "<p>"\n</script><p></p><script>"<i>"</script>', 3],
  ['<noscript><meta http-equiv="refresh"/></noscript>', 1],
  ["<style>a<b{}</style>", 1],
])("counts the elements of %s", (html, count) => {
  expect(countElements(html)).toBe(count);
});
