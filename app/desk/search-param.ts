/** Reads a list filter from the URL. @returns undefined for a missing or empty one */
export function searchParam({ searchParams }: URL, name: string): string | undefined {
  return searchParams.get(name)?.trim().slice(0, 200) || undefined;
}
