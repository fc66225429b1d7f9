/** Long-running operations: most writes return one, and its result is polled later. */
import { z } from "zod";
import { unexpectedAnswer } from "../errors.ts";
import { ProviderError } from "../http.ts";
import { type ProviderResponse, redactDescription } from "../response.ts";
import { type Api, resourcePath } from "./api.ts";
import { kindOfCode, nameOfCode, readReply } from "./errors.ts";

/**
 * State of an operation. The error of a failed one has Google's code ("INVALID_ARGUMENT") and its text as description. Its kind
 * decides whether to retry the same write with a new request id.
 */
export type GoogleOperation<T> =
  | { state: "pending" }
  | { state: "done"; response: T }
  | { state: "failed"; error: ProviderError };

export interface OperationCalls {
  getOperation<T>(
    name: string,
    result: z.ZodType<T>,
    secrets?: readonly string[],
  ): Promise<GoogleOperation<T>>;
}

const startedReply = z.object({ name: z.string().regex(/^operations\/./) });

const operationReply = z.object({
  done: z.boolean().default(false),
  error: z.object({ code: z.number().int().default(2), message: z.string().optional() }).optional(),
  response: z.unknown().optional(),
});

/** Returns the name of the operation that a write has started: `operations/...`. @throws ProviderError */
export function operationOf(answer: ProviderResponse): string {
  return readReply(answer, startedReply).name;
}

export function operationCalls(api: Api): OperationCalls {
  return {
    /**
     * `GET /v1/operations/{id}`, at most 600 a minute for the whole project.
     * @param result the schema of its response: customerResult, entitlementResult or transferResult
     * @param secrets the transfer token with which the operation was started, in case Google repeats it in its error
     * @throws ProviderError when the operation cannot be read; a failure of the operation itself is returned.
     */
    async getOperation(name, result, secrets = []) {
      const answer = await api({
        api: "channel",
        method: "GET",
        path: resourcePath("operation", name),
        secrets,
      });
      const operation = readReply(answer, operationReply);
      if (!operation.done) return { state: "pending" };
      if (operation.error !== undefined) {
        const code = nameOfCode(operation.error.code);
        const error = new ProviderError("google", kindOfCode(code) ?? "refused", answer.call, {
          // A clear response, so a retry of the write uses a new request id.
          status: answer.status,
          code,
          description: redactDescription(operation.error.message, secrets),
        });
        return { state: "failed", error };
      }
      const response = result.safeParse(operation.response);
      if (response.success) return { state: "done", response: response.data };
      const fields = response.error.issues.map((issue) => issue.path.join(".") || "(response)").join(", ");
      throw new ProviderError("google", "refused", answer.call, {
        status: answer.status,
        code: unexpectedAnswer,
        description: `Unexpected fields: ${fields.slice(0, 200)}`,
      });
    },
  };
}
