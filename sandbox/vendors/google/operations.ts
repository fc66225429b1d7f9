/**
 * Google's long-running operations. A call is validated and performed at once, but its effect is visible only when its operation
 * is done, so that a caller who does not wait is found out. A known requestId gets the first operation again, regardless of its
 * outcome. The fault `operationError` lets an operation fail: it ends in an error without an effect.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { delayOf, recordHiddenLookup } from "../delays.ts";
import { guid, isGuid, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Call, channel, GoogleError, parse, write } from "./calls.ts";
import type { GoogleOperation } from "./entities.ts";
import { customerName, paths } from "./paths.ts";

export interface OperationRequest {
  /** Name under which the effect is counted. */
  readonly kind: string;
  /** Type in Google's OperationMetadata. */
  readonly type: string;
  /** Whether the call takes a requestId; provisioning does not. */
  readonly hasRequestId: boolean;
}

/** A validated call: `apply` performs it; `preview` only validates. Both give the response. */
export type PreparedOperation =
  | { readonly apply: (operation: string) => JsonObject }
  | { readonly preview: JsonObject };

const nil = "00000000-0000-0000-0000-000000000000";
const identified = z.object({
  requestId: z
    .string()
    .refine((id) => isGuid(id) && id !== nil, "must be a UUID other than zero")
    .optional(),
});

export function googleOperationHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      paths.operation,
      write(sandbox, channel, (call) => {
        const operation = sandbox.state.google.operations[call.param("operation")];
        if (operation === undefined) throw new GoogleError("NOT_FOUND", "The operation was not found.");
        operation.polls += 1;
        if (delayOf(sandbox, "googleOperation") > 0 && !hasEnded(sandbox, operation))
          recordHiddenLookup(sandbox, operation.customerName);
        return { body: operationBody(sandbox, operation) };
      }),
    ),
  ];
}

/** A POST that begins an operation. */
export function operationHandler(
  sandbox: Sandbox,
  request: OperationRequest,
  prepare: (call: Call) => PreparedOperation,
) {
  return write(sandbox, channel, (call) => {
    const requestId = request.hasRequestId
      ? parse(identified, call.body).requestId?.toLowerCase()
      : undefined;
    const key = `${new URL(call.request.url).pathname} ${requestId}`;
    const { requests, operations } = sandbox.state.google;
    const first = requestId === undefined ? undefined : operations[requests[key] ?? ""];
    if (first !== undefined) return { body: operationBody(sandbox, first), kind: `${request.kind}.replayed` };

    const prepared = prepare(call);
    if ("preview" in prepared) {
      const metadata = metadataOf(request.type);
      return { body: { name: `operations/${guid()}`, metadata, done: true, response: prepared.preview } };
    }
    const operation = begin(sandbox, request.type, customerName(call), requestId);
    if (requestId !== undefined) requests[key] = operation.id;
    if (sandbox.faults.takeAnswer(call.request, "operationError")) {
      operation.error = { code: 13, message: "The operation failed (asked for by a test)." };
      return { body: operationBody(sandbox, operation), kind: `${request.kind}.failed` };
    }
    operation.response = structuredClone(prepared.apply(operation.id));
    return { body: operationBody(sandbox, operation), kind: request.kind };
  });
}

/** Whether an operation's result is visible; null stands for a resource without an operation. */
export function isDone(sandbox: Sandbox, id: string | null): boolean {
  if (id === null) return true;
  const operation = sandbox.state.google.operations[id];
  return operation === undefined || hasEnded(sandbox, operation);
}

function hasEnded(sandbox: Sandbox, { polls, doneAfterPolls, doneAt }: GoogleOperation): boolean {
  return polls >= doneAfterPolls || sandbox.now() >= doneAt;
}

/** Begins an operation for a report of the account. @returns its response */
export function beginReport(sandbox: Sandbox, response: JsonObject): JsonObject {
  const operation = begin(sandbox, "RUN_REPORT_JOB", "", undefined);
  operation.response = response;
  return operationBody(sandbox, operation);
}

function begin(
  sandbox: Sandbox,
  type: string,
  customer: string,
  requestId: string | undefined,
): GoogleOperation {
  const delayMs = delayOf(sandbox, "googleOperation");
  const { operationPolls, operationMs } =
    delayMs > 0 ? { operationPolls: Number.MAX_SAFE_INTEGER, operationMs: delayMs } : sandbox.google;
  const operation: GoogleOperation = {
    id: guid(),
    type,
    customerName: customer,
    response: null,
    error: null,
    requestId: requestId ?? null,
    createdAt: sandbox.now(),
    polls: 0,
    doneAfterPolls: operationPolls,
    doneAt: sandbox.now() + operationMs,
  };
  sandbox.state.google.operations[operation.id] = operation;
  return operation;
}

function operationBody(sandbox: Sandbox, operation: GoogleOperation): JsonObject {
  const { id, type, error, response } = operation;
  const known = { name: `operations/${id}`, metadata: metadataOf(type) };
  if (!hasEnded(sandbox, operation)) return { ...known, done: false };
  return { ...known, done: true, ...(error === null ? { response } : { error }) };
}

function metadataOf(operationType: string): JsonObject {
  return { "@type": "type.googleapis.com/google.cloud.channel.v1.OperationMetadata", operationType };
}
