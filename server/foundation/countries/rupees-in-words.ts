/** Spells out rupees for Indian invoices, with lakh and crore, in each language. */
import type { LanguageId } from "#server/foundation/languages/language.ts";

interface NumberWords {
  /** Numbers from 0 to 99. */
  belowHundred: readonly string[];
  hundred: string;
  thousand: string;
  lakh: string;
  crore: string;
}

const english: NumberWords = {
  belowHundred: englishBelowHundred(),
  hundred: "Hundred",
  thousand: "Thousand",
  lakh: "Lakh",
  crore: "Crore",
};

const hindi: NumberWords = {
  // None can be derived from the others, so each is listed, ten per line.
  belowHundred: [
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ",
    "दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस",
    "बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस",
    "तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस",
    "चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास",
    "पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ",
    "साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर",
    "सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी",
    "अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी",
    "नब्बे इक्यानवे बानवे तिरानवे चौरानवे पंचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे",
  ].flatMap((ten) => ten.split(" ")),
  hundred: "सौ",
  thousand: "हज़ार",
  lakh: "लाख",
  crore: "करोड़",
};

/** Spells out paise, from 0: "Rupees Forty-Five Thousand Five Hundred Ninety-Five Only". @throws RangeError below 0 */
export const rupeesInWords: Readonly<Record<LanguageId, (minor: number) => string>> = {
  en(minor) {
    const { rupees, paise } = partsOf(minor);
    const whole = `Rupees ${inWords(rupees, english)}`;
    return paise === 0 ? `${whole} Only` : `${whole} and ${inWords(paise, english)} Paise Only`;
  },
  hi(minor) {
    const { rupees, paise } = partsOf(minor);
    const whole = `${inWords(rupees, hindi)} ${rupees === 1 ? "रुपया" : "रुपये"}`;
    if (paise === 0) return `${whole} मात्र`;
    return `${whole} और ${inWords(paise, hindi)} ${paise === 1 ? "पैसा" : "पैसे"} मात्र`;
  },
};

function partsOf(minor: number): { rupees: number; paise: number } {
  if (minor < 0) throw new RangeError(`No words for ${minor} paise`);
  const paise = minor % 100;
  return { rupees: (minor - paise) / 100, paise };
}

function inWords(count: number, words: NumberWords): string {
  const scales = [
    { size: 10_000_000, name: words.crore },
    { size: 100_000, name: words.lakh },
    { size: 1_000, name: words.thousand },
    { size: 100, name: words.hundred },
  ];
  const scale = scales.find(({ size }) => count >= size);
  if (scale === undefined) return words.belowHundred[count] ?? "";
  const rest = count % scale.size;
  const head = `${inWords((count - rest) / scale.size, words)} ${scale.name}`;
  return rest === 0 ? head : `${head} ${inWords(rest, words)}`;
}

function englishBelowHundred(): string[] {
  const small = [
    ..."Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen".split(" "),
    ..."Fifteen Sixteen Seventeen Eighteen Nineteen".split(" "),
  ];
  const ones = small.slice(1, 10);
  const tens = "Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split(" ");
  return [...small, ...tens.flatMap((ten) => [ten, ...ones.map((one) => `${ten}-${one}`)])];
}
