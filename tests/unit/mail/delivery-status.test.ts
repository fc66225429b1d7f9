/** Reports about undelivered mails, in the formats of different servers, and which of them blame the address. */
import { describe, expect, test } from "vitest";
import { isPermanentAddressFailure, parseDeliveryReport } from "#server/mail/delivery-status.ts";
import { absence, exchangeReport, postfixReport } from "#tests/support/bounces.ts";

const messageId = "<3f0c1a52-0000-4000-8000-000000000000@store.example>";
const report = { messageId, recipient: "asha@acme.example" };
const read = (text: string) => parseDeliveryReport(Buffer.from(text));

describe("parseDeliveryReport", () => {
  test("reads Postfix's report by recipient, with the id in the returned headers", async () => {
    expect(await read(postfixReport(report))).toEqual({
      messageId: "3f0c1a52-0000-4000-8000-000000000000@store.example",
      recipients: [
        {
          addresses: ["asha@acme.example", "asha@acme.example"],
          action: "failed",
          status: "5.1.1",
          words: "550 5.1.1 <asha@acme.example>: Recipient address rejected: User unknown",
        },
      ],
    });
  });

  test("reads Exchange's report with folded fields and the whole mail", async () => {
    expect(await read(exchangeReport(report))).toMatchObject({
      messageId: "3f0c1a52-0000-4000-8000-000000000000@store.example",
      recipients: [
        {
          addresses: ["asha@acme.example"],
          status: "5.1.10",
          words: expect.stringMatching(/RecipientNotFound; Recipient not found/),
        },
      ],
    });
  });

  test("names the address that the store wrote to and the one it was forwarded to", async () => {
    const text = postfixReport(report).replace(
      "Final-Recipient: rfc822; asha@",
      "Final-Recipient: rfc822; old@",
    );
    expect((await read(text))?.recipients[0]?.addresses).toEqual(["asha@acme.example", "old@acme.example"]);
  });
});

test.each([
  ["an absence", absence(messageId)],
  ["nothing", ""],
  [
    "a status without a recipient",
    postfixReport(report).replaceAll(/^(Final|Original)-Recipient:.*\r\n/gm, ""),
  ],
  ["a malformed status", postfixReport(report).replace("Status: 5.1.1", "Status: gone")],
  ["an unknown action", postfixReport(report).replace("Action: failed", "Action: lost")],
])("ignores %s", async (_what, text) => {
  expect(await read(text)).toBeNull();
});

test("names no mail when none of it is returned", async () => {
  const text = postfixReport(report).replace("text/rfc822-headers", "text/plain");
  expect((await read(text))?.messageId).toBeNull();
});

test.each([
  ["5.1.1", true],
  ["5.1.10", true],
  ["5.0.0", true],
  ["5.2.1", true],
  ["5.4.4", true],
  ["5.1.8", false],
  ["5.2.2", false],
  ["5.3.4", false],
  ["5.6.0", false],
  ["5.7.1", false],
  ["4.4.7", false],
  ["2.0.0", false],
])("decides whether status %s blames the address: %s", (status, is) => {
  expect(isPermanentAddressFailure(status)).toBe(is);
});
