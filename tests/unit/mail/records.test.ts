/** The findings of `npm run preflight` about the DNS records of the sender's domain. */
import { expect, test } from "vitest";
import { checkDkim, checkDmarc, checkSpf, senderDomain } from "#server/operations/preflight/mail.ts";

test.each([
  ["Hubs <store@shop.acme.in>", "shop.acme.in"],
  ["store@ACME.in", "acme.in"],
  ['"Hubs @ home" <store@acme.in> ', "acme.in"],
  ["store", ""],
])("extracts from %s the domain %s", (from, domain) => {
  expect(senderDomain(from)).toBe(domain);
});

test.each([
  ["right", ["google-site-verification=x", "v=spf1 include:_spf.acme.in -all"]],
  ["right", ["v=spf1 ip4:203.0.113.7 ~all"]],
  ["right", ["v=spf1 redirect=_spf.acme.in"]],
  ["missing", []],
  ["missing", ["v=spf10 -all"]],
  ["wrong", ["v=spf1 -all", "v=spf1 ~all"]],
  ["wrong", ["v=spf1 ip4:203.0.113.7"]],
  ["wrong", ["v=spf1 +all"]],
  ["wrong", ["v=spf1 mx ?all"]],
  ["wrong", ["v=spf1 mx all"]],
] as const)("finds SPF %s: %j", (status, records) => {
  expect(checkSpf("acme.in", records)).toMatchObject({ status });
});

test.each([
  ["right", ["v=DKIM1; k=rsa; p=MIIBIjANBg"]],
  ["right", ["k=ed25519;p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]],
  ["missing", []],
  ["missing", ["v=spf1 -all"]],
  ["wrong", ["v=DKIM1; p="]],
  ["wrong", ["v=DKIM1; p=AAAA", "v=DKIM1; p=BBBB"]],
] as const)("finds a DKIM key %s: %j", (status, records) => {
  expect(checkDkim("mail._domainkey.acme.in", records)).toMatchObject({ status });
});

test.each([
  ["right", ["v=DMARC1; p=reject; rua=mailto:dmarc@acme.in"]],
  ["right", ["v=DMARC1;p=none"]],
  ["missing", []],
  ["missing", ["v=spf1 -all"]],
  ["wrong", ["v=DMARC1; rua=mailto:dmarc@acme.in"]],
  ["wrong", ["v=DMARC1; p=maybe"]],
  ["wrong", ["v=DMARC1; p=none", "v=DMARC1; p=reject"]],
] as const)("finds DMARC %s: %j", (status, records) => {
  expect(checkDmarc("acme.in", records)).toMatchObject({ status });
});
