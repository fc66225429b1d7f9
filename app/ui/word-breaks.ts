/** Splits a text before each dot and @, where a reader would break a domain or an email. */
export function splitAtWordBreaks(text: string): string[] {
  return text.split(/(?=[.@][a-z])/i);
}
