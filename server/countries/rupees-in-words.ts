/** Rupees in words for Indian invoices, with lakh and crore. */

const small = [
  ..."Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen".split(" "),
  ..."Fifteen Sixteen Seventeen Eighteen Nineteen".split(" "),
];
const tens = "- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split(" ");
const scales = [
  { size: 10_000_000, name: "Crore" },
  { size: 100_000, name: "Lakh" },
  { size: 1_000, name: "Thousand" },
  { size: 100, name: "Hundred" },
] as const;

/** "Rupees Forty-Five Thousand Five Hundred Ninety-Five Only". @param minor paise @throws RangeError below 0 */
export function rupeesInWords(minor: number): string {
  if (minor < 0) throw new RangeError(`No words for ${minor} paise`);
  const paise = minor % 100;
  const rupees = `Rupees ${inWords((minor - paise) / 100)}`;
  return paise === 0 ? `${rupees} Only` : `${rupees} and ${inWords(paise)} Paise Only`;
}

function inWords(count: number): string {
  const scale = scales.find(({ size }) => count >= size);
  if (scale !== undefined) {
    const rest = count % scale.size;
    const head = `${inWords((count - rest) / scale.size)} ${scale.name}`;
    return rest === 0 ? head : `${head} ${inWords(rest)}`;
  }
  if (count < 20) return small[count] ?? "";
  const ones = count % 10;
  const ten = tens[(count - ones) / 10] ?? "";
  return ones === 0 ? ten : `${ten}-${small[ones]}`;
}
