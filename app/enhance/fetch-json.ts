/** Fetches JSON for the shared script. On a poor connection the response may be missing or cut off: then the body is empty. */
export async function fetchJson(address: string): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    const body: unknown = response.ok ? await response.json() : null;
    return { status: response.status, body: typeof body === "object" ? { ...body } : {} };
  } catch {
    return { status: 0, body: {} };
  }
}
