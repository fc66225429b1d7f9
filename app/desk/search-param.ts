/** A field of a list's filter, from an address. @returns undefined for one that is missing or empty */
export function searchParam({ searchParams }: URL, name: string): string | undefined {
  return searchParams.get(name)?.trim().slice(0, 200) || undefined;
}
