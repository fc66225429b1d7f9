/** Every check, in the order of the report. Add a row here to add one. */
import type { Check } from "./check.ts";
import { identityProvidersCheck } from "./identity-providers.ts";
import { bounceCheck, mailRecords, mailServer } from "./mail.ts";
import { customerFees, paymentAccounts, paymentKeys, paymentWebhooks } from "./money.ts";
import { backups, clock, connections, migrationsRun, workers } from "./platform.ts";
import { brandCheck, destinations, lutCheck, secrets, sellers, urlsCheck } from "./settings.ts";
import { staff } from "./staff.ts";
import { catalogue, consents, vendorWebhooksCheck } from "./vendors.ts";

export const checks: readonly Check[] = [
  secrets,
  urlsCheck,
  destinations,
  brandCheck,
  sellers,
  lutCheck,
  paymentKeys,
  paymentAccounts,
  paymentWebhooks,
  customerFees,
  consents,
  vendorWebhooksCheck,
  catalogue,
  identityProvidersCheck,
  mailRecords,
  mailServer,
  bounceCheck,
  migrationsRun,
  connections,
  clock,
  backups,
  workers,
  staff,
];
