/** Non-delivery reports in the formats of several mail servers. */

interface BounceReport {
  messageId: string;
  recipient: string;
  /** RFC 3463 status; defaults to 5.1.1. */
  status?: string;
  action?: string;
  words?: string;
}

/** A report in Postfix's format, with only the headers of the mail. */
export function postfixReport({ messageId, recipient, ...report }: BounceReport): string {
  const {
    status = "5.1.1",
    action = "failed",
    words = `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`,
  } = report;
  return crlf(`Return-Path: <>
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: store@example.com
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="B/1"

This is a MIME-encapsulated message.

--B/1
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B/1
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 4ABC
Arrival-Date: Wed, 25 Nov 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.acme.example
Diagnostic-Code: smtp; ${words}

--B/1
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: Hubs <store@example.com>
To: ${recipient}
Subject: Reset your password
Message-ID: ${messageId}

--B/1--
`);
}

/** A report in Exchange's format: it contains the whole mail, and a folded field gives the reason. */
export function exchangeReport({ messageId, recipient, status = "5.1.10" }: BounceReport): string {
  return crlf(`From: <postmaster@acme.example>
To: <store@example.com>
Subject: Undeliverable: Reset your password
MIME-Version: 1.0
Content-Type: multipart/report; report-type="delivery-status"; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain

Your message couldn't be delivered.

--inner
Content-Type: text/html

<p>Your message couldn't be delivered.</p>

--inner--

--outer
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01.prod.exchangelabs.com
Received-From-MTA: dns;mx.example.com

Final-Recipient: rfc822;${recipient.toUpperCase()}
Action: failed
Status: ${status}
Diagnostic-Code: smtp;550 ${status} RESOLVER.ADR.RecipientNotFound;
 Recipient not found by SMTP address lookup

--outer
Content-Type: message/rfc822

From: Hubs <store@example.com>
To: ${recipient}
Message-ID:
 ${messageId}
Subject: Reset your password
Content-Type: text/plain

A link to choose a password.

--outer--
`);
}

/** An automatic reply during an absence. */
export function absence(messageId: string): string {
  return crlf(`From: asha@acme.example
To: store@example.com
In-Reply-To: ${messageId}
Subject: Out of office
Auto-Submitted: auto-replied
Content-Type: text/plain

I am away until Monday. Message-ID: ${messageId}
`);
}

const crlf = (text: string) => text.replaceAll("\n", "\r\n");
