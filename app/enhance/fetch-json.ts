/**
 * How the shared script asks the server. On a poor connection the answer may be missing or cut off: then it returns nothing.
 */
export async function fetchJson(address: string): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    const body: unknown = response.ok ? await response.json() : null;
    return { status: response.status, body: typeof body === "object" ? { ...body } : {} };
  } catch {
    return { status: 0, body: {} };
  }
}
