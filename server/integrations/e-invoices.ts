/**
 * Registers documents at the tax office's invoice registration portal, through a GST Suvidha Provider (GSP), which accepts plain
 * JSON (docs/providers.md, section 4). Another provider, or the portal itself, would be another implementation of `EInvoices`.
 */
import { z } from "zod";
import { ProviderError, withKind } from "./errors.ts";
import { baseOf, errorOf, type OnCall, type ProviderResponse, refusedInReply, send } from "./http.ts";

export interface EInvoicesConfig {
  /** Base URL without a path: `ei/api/invoice` is appended. */
  url: string;
  user: string;
  password: string;
  key: string;
  /** Header that contains the key. */
  keyHeader: string;
  cancelKeys: "CnlRsn" | "Cnlrsn";
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** The portal's data of a document. */
export interface RegisteredDocument {
  irn: string;
  ackNumber: string;
  acknowledgedAt: Date;
  /** A JWS: printed whole as the QR code. */
  signedQr: string;
  signedInvoice: string;
}

/** A document that is registered already; the portal returns only its number. */
export interface DuplicateDocument {
  duplicateOf: string;
}

export interface EInvoices {
  /** @throws ProviderError refused with the portal's code when it rejects the document */
  register(gstin: string, body: unknown, requestId: string): Promise<RegisteredDocument | DuplicateDocument>;
  /** @returns null for an unknown document; "hidden" for a registered one that is no longer shown, after two days */
  find(gstin: string, irn: string, requestId: string): Promise<RegisteredDocument | "hidden" | null>;
  /** Cancels a document; one that is cancelled already counts as success. @throws ProviderError refused after 24 hours */
  cancel(
    gstin: string,
    cancellation: { irn: string; code: string; words: string },
    requestId: string,
  ): Promise<void>;
}

const text = z.union([z.string(), z.number().transform(String)]);

const registered = z
  .object({
    Irn: z.string(),
    AckNo: text,
    AckDt: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    SignedQRCode: z.string().min(1),
    SignedInvoice: z.string().min(1),
  })
  .transform(
    ({ Irn: irn, AckNo: ackNumber, AckDt, SignedQRCode: signedQr, SignedInvoice: signedInvoice }) => ({
      irn: irn.toLowerCase(),
      ackNumber,
      // The portal's clock is India's.
      acknowledgedAt: new Date(`${AckDt.replace(" ", "T")}+05:30`),
      signedQr,
      signedInvoice,
    }),
  );

const duplicate = z.object({ InfCd: z.string(), Desc: z.object({ Irn: z.string() }) });

/** The provider's wrapper of a portal response. */
const envelope = z.object({
  success: z.boolean(),
  /** The portal's code and message: "2150 : Duplicate IRN". */
  message: z.string().nullish(),
  result: z.unknown().optional(),
});

const alreadyRegistered = "2150";
const alreadyCancelled = "9999";
const unknownCode = "2154";
/** Code for a registered document that can no longer be read, two days after its registration. */
export const noLongerShownCode = "2283";

export function createEInvoices(config: EInvoicesConfig): EInvoices {
  const { user, password, key, keyHeader, timeoutMs, onCall } = config;

  async function call(
    gstin: string,
    requestId: string,
    request: { method: "GET" | "POST"; path: string; json?: unknown },
  ): Promise<{ answer: ProviderResponse; result: unknown; code: string | null; words: string }> {
    const answer = await send({
      provider: "gsp",
      method: request.method,
      url: `${baseOf(config.url)}/ei/api/invoice${request.path}`,
      headers: { gstin, user_name: user, password, requestid: requestId, [keyHeader]: key },
      ...(request.json !== undefined && { json: request.json }),
      secrets: [password, key],
      requestId,
      timeoutMs,
      onCall,
    });
    const body = envelope.safeParse(jsonIn(answer));
    if (!body.success) {
      const { status } = answer;
      // Wrong credentials and an empty account are not the document's fault either.
      if (status < 200 || status >= 300) throw withKind(errorOf(answer), "transient", answer.call);
      // Not the provider's response; the failure is temporary.
      throw new ProviderError("gsp", "transient", answer.call, { status, code: "unexpected_answer" });
    }
    const { success, message, result } = body.data;
    const words = message ?? "";
    const code = success ? null : (/^\s*(\d{3,5})\b/.exec(words)?.[1] ?? null);
    if (!success && code === null) {
      const refused = refusedInReply(answer, "refused", words);
      // Without a code of the portal, the provider itself failed.
      throw withKind(refused, "transient", answer.call);
    }
    return { answer, result, code, words };
  }

  /** Builds the error for a code that does not mean success. */
  function refusal({
    answer,
    code,
    words,
  }: {
    answer: ProviderResponse;
    code: string;
    words: string;
  }): ProviderError {
    const refused = refusedInReply(answer, code, words);
    // Codes from 1000 concern the session at the portal, not the document.
    return /^1\d{3}$/.test(code) ? withKind(refused, "transient", answer.call) : refused;
  }

  return {
    async register(gstin, body, requestId) {
      const said = await call(gstin, requestId, { method: "POST", path: "", json: body });
      const { answer, result, code } = said;
      if (code === null) return read(answer, result);
      if (code !== alreadyRegistered) throw refusal({ ...said, code });
      const [first = result] = z.array(z.unknown()).safeParse(result).data ?? [];
      const known = duplicate.safeParse(first);
      if (!known.success) throw refusal({ ...said, code });
      return { duplicateOf: known.data.Desc.Irn.toLowerCase() };
    },

    async find(gstin, irn, requestId) {
      const said = await call(gstin, requestId, {
        method: "GET",
        path: `/irn?irn=${encodeURIComponent(irn)}`,
      });
      const { answer, result, code } = said;
      if (code === null) return read(answer, result);
      if (code === unknownCode) return null;
      if (code === noLongerShownCode) return "hidden";
      throw refusal({ ...said, code });
    },

    async cancel(gstin, { irn, code: reason, words }, requestId) {
      const json =
        config.cancelKeys === "CnlRsn"
          ? { Irn: irn, CnlRsn: reason, CnlRem: words }
          : { Irn: irn, Cnlrsn: reason, Cnlrem: words };
      const said = await call(gstin, requestId, { method: "POST", path: "/cancel", json });
      if (said.code !== null && said.code !== alreadyCancelled) throw refusal({ ...said, code: said.code });
    },
  };
}

/** @throws ProviderError for a response of another shape, as for a missing one: the document is looked up again */
function read(answer: ProviderResponse, result: unknown): RegisteredDocument {
  const parsed = registered.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new ProviderError("gsp", "transient", answer.call, {
    status: answer.status,
    code: "unexpected_answer",
  });
}

function jsonIn({ text: body }: ProviderResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Creates the error for a country without an account for registering documents. */
export function noEInvoiceAccount(country: string): ProviderError {
  return new ProviderError("gsp", "refused", `registering documents of ${country}`, { code: "no_account" });
}
