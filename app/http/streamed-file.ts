/** Sends a file while it is generated, so that neither memory nor other requests wait for the whole of it. */

/**
 * @param pieces read with backpressure, and no further once the client disconnects
 * @throws what the first piece throws, so that a refusal can still be a response with its own status
 */
export async function streamedFile(
  pieces: AsyncGenerator<string | Uint8Array>,
  { name, type, signal }: { name: string; type: string; signal: AbortSignal },
): Promise<Response> {
  const encoder = new TextEncoder();
  let ready: IteratorResult<string | Uint8Array> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // The client disconnected: let the generator clean up.
      if (signal.aborted) await pieces.return(undefined);
      const { done, value } = ready ?? (await pieces.next());
      ready = null;
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}

export function csvFile(
  pieces: AsyncGenerator<string>,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<Response> {
  return streamedFile(pieces, { name: `${name}.csv`, type: "text/csv; charset=utf-8", signal });
}
