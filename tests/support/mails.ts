/** Queues mails of any kind to any address, for tests of sending rather than of the rules about recipients. */
import type { OrderId, UserId } from "#db/ids.ts";
import { insertMail } from "#db/mail/mails.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

export interface AnyMail {
  kind: MailKind;
  dedupeKey: string;
  recipient: string;
  userId?: UserId | null;
  orderId?: OrderId | null;
  data?: Record<string, string>;
}

/** Queues a mail without the rules of its kind. */
export async function queueAnyMail(
  trx: Trx,
  { userId = null, orderId = null, data = {}, ...mail }: AnyMail,
): Promise<void> {
  const id = await insertMail(trx, { userId, orderId, data, ...mail });
  if (id !== null) await addJob(trx, "send-mail", { mailId: id }, { jobKey: `mail:${id}` });
}
