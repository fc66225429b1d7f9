/** How the shared script asks the server. On a bad line an answer may not come, or break off on its way: then it is none. */
export async function ask(address: string): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    return { status: response.status, body: response.ok ? await response.json() : null };
  } catch {
    return { status: 0, body: null };
  }
}
