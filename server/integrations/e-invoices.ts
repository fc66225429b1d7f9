/**
 * Registers documents at the tax office's invoice registration portal, through a GST Suvidha Provider (GSP), which takes plain JSON
 * (docs/providers.md, section 4). Another provider, or the portal itself, is another implementation of `EInvoices`.
 */
import { z } from "zod";
import { ProviderError, withKind } from "./errors.ts";
import { baseOf, errorOf, type OnCall, type ProviderResponse, refusedInReply, send } from "./http.ts";

export interface EInvoicesConfig {
  /** Without a path: `ei/api/invoice` follows. */
  url: string;
  user: string;
  password: string;
  key: string;
  /** The header that carries the key. */
  keyHeader: string;
  cancelKeys: "CnlRsn" | "Cnlrsn";
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** What the portal has of a document. */
export interface RegisteredDocument {
  irn: string;
  ackNumber: string;
  acknowledgedAt: Date;
  /** A JWS: printed whole as the QR code. */
  signedQr: string;
  signedInvoice: string;
}

/** A document that is registered already, of which the portal gives no more than its number. */
export interface DuplicateDocument {
  duplicateOf: string;
}

export interface EInvoices {
  /** @throws ProviderError refused with the portal's code when it takes the document for wrong */
  register(gstin: string, body: unknown, requestId: string): Promise<RegisteredDocument | DuplicateDocument>;
  /** @returns null for an unknown document; "hidden" for one that is registered and no longer shown, after two days */
  find(gstin: string, irn: string, requestId: string): Promise<RegisteredDocument | "hidden" | null>;
  /** A document that is cancelled already counts as cancelled. @throws ProviderError refused after 24 hours */
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

/** What the provider wraps an answer of the portal in. */
const envelope = z.object({
  success: z.boolean(),
  /** "2150 : Duplicate IRN": the portal's code, and its words. */
  message: z.string().nullish(),
  result: z.unknown().optional(),
});

const alreadyRegistered = "2150";
const alreadyCancelled = "9999";
const unknownCode = "2154";
/** Code for a document that is registered and cannot be read any more, two days after it was made. */
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
      // Wrong credentials and an empty account are no fault of the document either.
      if (status < 200 || status >= 300) throw withKind(errorOf(answer), "transient", answer.call);
      // Something else than the provider has answered, which will pass.
      throw new ProviderError("gsp", "transient", answer.call, { status, code: "unexpected_answer" });
    }
    const { success, message, result } = body.data;
    const words = message ?? "";
    const code = success ? null : (/^\s*(\d{3,5})\b/.exec(words)?.[1] ?? null);
    if (!success && code === null) {
      const refused = refusedInReply(answer, "refused", words);
      // Without a code of the portal it is the provider that could not do it.
      throw withKind(refused, "transient", answer.call);
    }
    return { answer, result, code, words };
  }

  /** Of a code that is none of those which say something good. */
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
    // Codes from 1000 are about the session at the portal, and not about the document.
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

/** @throws ProviderError for an answer of another shape, as for one that has not come: the document is looked up again */
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

/** Nobody registers a country's documents. */
export function noEInvoiceAccount(country: string): ProviderError {
  return new ProviderError("gsp", "refused", `registering documents of ${country}`, { code: "no_account" });
}
