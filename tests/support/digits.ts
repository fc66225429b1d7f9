/** Numbers in the digits of other scripts. */

const writtenFrom = (zero: string) => (text: string | number) =>
  String(text).replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)));

export const inDevanagari = writtenFrom("०");
export const inFullWidth = writtenFrom("０");
