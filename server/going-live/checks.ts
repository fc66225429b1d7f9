/** Every check, in the order of the report. A further one is a row here. */
import type { Check } from "./check.ts";
import { mailRecords, mailServer, returnedMails } from "./mail.ts";
import { paymentAccounts, paymentKeys, paymentWebhooks } from "./money.ts";
import { backups, clock, connections, migrationsRun, workers } from "./platform.ts";
import { addresses, brandOfStore, letters, secrets, sellers } from "./settings.ts";
import { signIns } from "./sign-ins.ts";
import { staff } from "./staff.ts";
import { catalogue, consents, notices } from "./vendors.ts";

export const checks: readonly Check[] = [
  secrets,
  addresses,
  brandOfStore,
  sellers,
  letters,
  paymentKeys,
  paymentAccounts,
  paymentWebhooks,
  consents,
  notices,
  catalogue,
  signIns,
  mailRecords,
  mailServer,
  returnedMails,
  migrationsRun,
  connections,
  clock,
  backups,
  workers,
  staff,
];
