/** The store's own clients, with the settings of a side. */
import { createEInvoices, type EInvoices } from "#server/integrations/e-invoices.ts";
import { createGoogle, type Google } from "#server/integrations/google.ts";
import { createGst, type Gst } from "#server/integrations/gst.ts";
import { type Api, createApi } from "#server/integrations/partner-center/api.ts";
import type { PartnerCenterConfig } from "#server/integrations/partner-center/config.ts";
import { userTokenSource } from "#server/integrations/partner-center/token.ts";
import { createPartnerCenter, type PartnerCenter } from "#server/integrations/partner-center.ts";
import { createRazorpay, type Razorpay } from "#server/integrations/razorpay.ts";
import { type Side, setting, timeoutMs } from "./test-target.ts";

export interface PartnerCenterSide {
  partnerCenter: PartnerCenter;
  /** Raw client for calls that the store never makes: deleting a customer of the integration sandbox. */
  api: Api;
}

/** Partner Center for the account in India. A partner's user has consented: in our sandbox its agent does so now. */
export async function partnerCenterOf(side: Side): Promise<PartnerCenterSide> {
  let refreshToken = side.sandbox === null ? setting(side, "PARTNER_REFRESH_TOKEN_IN") : null;
  const config: PartnerCenterConfig = {
    apiUrl: setting(side, "PARTNER_CENTER_URL"),
    pricesUrl: setting(side, "PARTNER_PRICES_URL"),
    loginUrl: setting(side, "MICROSOFT_LOGIN_URL"),
    graphUrl: setting(side, "GRAPH_URL"),
    partnerTenant: setting(side, "PARTNER_TENANT_IN"),
    clientId: setting(side, "PARTNER_CLIENT_ID_IN"),
    clientSecret: setting(side, "PARTNER_CLIENT_SECRET_IN"),
    timeoutMs,
    consent: {
      readRefreshToken: async () => refreshToken,
      replaceRefreshToken: async (_used, newer) => {
        refreshToken = newer;
      },
    },
  };
  const partnerCenter = createPartnerCenter(config);
  if (side.sandbox !== null) refreshToken = await consent(partnerCenter);
  return { partnerCenter, api: createApi(config, userTokenSource(config)) };
}

async function consent(partnerCenter: PartnerCenter): Promise<string> {
  const redirectUri = "http://localhost:3210/partner-consent";
  const { url, flow } = await partnerCenter.beginConsent(redirectUri);
  const body = new URLSearchParams({ person: "agent", action: "sign-in" });
  const accepted = await fetch(url, { method: "POST", redirect: "manual", body });
  const answer = new URL(accepted.headers.get("location") ?? "").searchParams;
  return (await partnerCenter.finishConsent(redirectUri, answer, flow)).refreshToken;
}

export function googleOf(side: Side): Google {
  return createGoogle({
    channelUrl: side.settings.GOOGLE_CHANNEL_URL,
    directoryUrl: side.settings.GOOGLE_DIRECTORY_URL,
    tokenUrl: side.settings.GOOGLE_TOKEN_URL,
    accountId: setting(side, "GOOGLE_ACCOUNT_ID"),
    serviceAccountEmail: setting(side, "GOOGLE_SERVICE_ACCOUNT_EMAIL"),
    privateKey: setting(side, "GOOGLE_PRIVATE_KEY"),
    resellerAdmin: setting(side, "GOOGLE_RESELLER_ADMIN"),
    billReport: side.settings.GOOGLE_BILL_REPORT ?? "Google Workspace Invoice",
    timeoutMs,
  });
}

export function razorpayOf(side: Side): Razorpay {
  return createRazorpay({
    keyId: setting(side, "RAZORPAY_KEY_ID_IN"),
    keySecret: setting(side, "RAZORPAY_KEY_SECRET_IN"),
    webhookSecret: "",
    apiUrl: setting(side, "RAZORPAY_API_URL"),
    timeoutMs,
  });
}

export function gstOf(side: Side, clientSecret = setting(side, "GST_CLIENT_SECRET")): Gst {
  return createGst({
    apiUrl: setting(side, "GST_API_URL"),
    clientId: setting(side, "GST_CLIENT_ID"),
    clientSecret,
    publicKey: null,
    timeoutMs,
  });
}

export function eInvoicesOf(side: Side, password = setting(side, "EINVOICE_PASSWORD_IN")): EInvoices {
  return createEInvoices({
    url: setting(side, "EINVOICE_URL_IN"),
    user: setting(side, "EINVOICE_USER_IN"),
    password,
    key: setting(side, "EINVOICE_KEY_IN"),
    keyHeader: side.settings.EINVOICE_KEY_HEADER ?? "x-api-key",
    cancelKeys: side.settings.EINVOICE_CANCEL_KEYS === "Cnlrsn" ? "Cnlrsn" : "CnlRsn",
    timeoutMs,
  });
}
