/** Destinations in the settings: the hosts of every provider, database and mail server, in each notation. */
import { describe, expect, test } from "vitest";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { readEnv } from "#server/platform/env.ts";

const complete = sandboxEnvironment({
  port: 3000,
  sandboxPort: 3100,
  smtpPort: 3101,
  databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
  dataDir: ".data",
  secrets: createSecrets(),
});
const destinationsIn = (changes: Record<string, string>) =>
  destinationsOf(readEnv({ ...complete, ...changes }));

/** Addresses that only browsers visit. */
const ofBrowsers = ["PUBLIC_URL", "PARTNER_CONSENT_URL", "BRIO_URL", "RAZORPAY_CHECKOUT_SCRIPT_URL"];

describe("destinationsOf", () => {
  const addresses = Object.entries(complete)
    .filter(([name, value]) => /^https?:/.test(value) && !ofBrowsers.includes(name))
    .filter(([name]) => !name.startsWith("RAZORPAY_") || name === "RAZORPAY_API_URL")
    .map(([name]) => name);

  test.each(addresses)("returns the host of %s", (name) => {
    expect(destinationsIn({ [name]: "https://Other.Example/path" }).hosts).toContain("other.example:443");
  });

  test.each([
    ["postgres://store@db.example/store", "db.example:5432"],
    ["postgres://store:p%40ss@DB.example:6432/store", "db.example:6432"],
    ["postgres:///store?host=/var/run/postgresql", null],
  ])("returns the database %s", (address, expected) => {
    const { hosts } = destinationsIn({ DATABASE_URL: address });
    const others = destinationsIn({ DATABASE_URL: "postgres:///store?host=/tmp" }).hosts;
    expect(hosts.filter((host) => !others.includes(host))).toEqual(expected === null ? [] : [expected]);
  });

  test.each([
    ["smtp://mail.example", "mail.example:587"],
    ["smtps://user:secret@Mail.example", "mail.example:465"],
    ["smtp://[::1]:25", "::1:25"],
  ])("returns the mail server %s", (address, expected) => {
    expect(destinationsIn({ SMTP_URL: address }).mailServer).toBe(expected);
  });

  test("returns the hosts that providers name", () => {
    expect(destinationsIn({ OUTGOING_HOSTS: "*.files.example, cdn.example:8443" }).hosts).toEqual(
      expect.arrayContaining(["*.files.example:443", "cdn.example:8443"]),
    );
  });

  test.each(["*", "*.com", "https://files.example", "files.example/path", "a.*.example", ""])(
    "rejects %j as a host",
    (host) => {
      expect(() => destinationsIn({ OUTGOING_HOSTS: host })).toThrow("OUTGOING_HOSTS");
    },
  );
});
