/**
 * The store uses one term for each thing: the terms of Microsoft's and Google's consoles and of Indian accounting. The terms on
 * the
 * left were replaced and easily return.
 */
import { expect, test } from "vitest";
import { messagesByKey } from "#server/foundation/languages/language.ts";

const replaced: [RegExp, string][] = [
  [/\blicences?\b/i, "license"],
  [/\blog(?:s|ged|ging)? in\b|\blogins?\b/i, "sign in"],
  [/\bmail(?:s|ed)?\b/i, "email"],
  [/\b(?:write|writes) to\b/i, "email"],
  [/carried out/i, "completed, processed or fulfilled"],
  [/by itself/i, "automatically"],
  [/\bg(?:ive|ives|iven|ave|iving) back\b/i, "remove (licenses) or refund (money)"],
  [/\b(?:comes|goes) back\b/i, "is refunded"],
  [/a person a month|for each person/i, "per user/month"],
  [/\b(?:somebody|whoever)\b/i, "someone, the person who"],
  [/\brefus(?:e|ed|es|al)\b/i, "decline (people), reject (systems)"],
  [/\b(?:holds|hold) until\b/i, "is valid until"],
  [/\bput right\b|\bmend(?:s|ed)?\b/i, "fix, correct"],
  [/\bt(?:ake|akes|ook) the place of\b/i, "replaces"],
  [/\bkeep back\b|\bwithhold\b/i, "deduct"],
  [/\bshops?\b/i, "store"],
  [/\bthe desk\b/i, "Desk"],
  [/\bits time is over\b/i, "has expired"],
];

/** Sentences of the specification, and texts about officers to whom the law lets people write by post. */
const quoted = new Set([
  "access.loginFailed",
  "access.backToLogIn",
  "access.accountExists",
  "access.userCreated",
  "createAccount.existsTitle",
  "createAccount.login",
  "createAccount.loginFailed",
  "legal.accessibilityHelpText",
  "legal.privacyRightsText",
  "legal.reduceWithin72Hours",
  "shell.logIn",
  "site.login",
]);

/** @returns the term to use instead, or null */
function retiredTerm(text = ""): string | null {
  // Placeholders and tag names do not count.
  const read = text.replace(/\{\w+[,}]/g, "").replace(/<\/?\w+>/g, "");
  return replaced.find(([term]) => term.test(read))?.[1] ?? null;
}

test("uses no retired term in English", () => {
  const messages = Object.entries(messagesByKey.en);
  expect(messages.length).toBeGreaterThan(2_000);
  const found = messages.filter(([key, text]) => !quoted.has(key) && retiredTerm(text) !== null);
  expect(found.map(([key, text]) => `${key}: ${text}: ${retiredTerm(text)}`)).toEqual([]);
});

/** Retired Hindi term, its replacement, and the namespaces in which the law or documents keep the old term. */
const replacedInHindi: [string, string, (readonly string[])?][] = [
  ["भुगतान", "पेमेंट", ["legal", "invoice"]],
  ["मूल्य", "क़ीमत", ["invoice"]],
  ["खाते का विवरण", "अकाउंट स्टेटमेंट"],
  ["नवीनीकरण", "रिन्यूअल"],
  ["सदस्यता", "सब्सक्रिप्शन"],
  ["आपूर्ति", "सप्लाई"],
  ["जीएसटी", "GST"],
  ["पूर्णांकन", "राउंड ऑफ़"],
  ["उप-योग", "सबटोटल"],
  ["उपयोगकर्ता", "यूज़र"],
  ["एडमिनिस्ट्रेटर", "एडमिन"],
  ["मालिक", "ओनर"],
  ["अनुमोद", "मंज़ूरी, अप्रूवर"],
  ["स्वीकृति", "मंज़ूरी"],
  ["दर्शक", "व्यूअर"],
  ["बुलाएँ", "न्योता भेजें"],
  ["लॉग इन", "साइन इन"],
  ["दो चरणों", "टू-स्टेप"],
  ["चिट्ठी", "ईमेल"],
  ["सहायता", "सपोर्ट"],
  ["पंजीक", "रजिस्टर"],
  ["टैक्स कार्यालय", "टैक्स विभाग"],
  ["प्रदाता", "पेमेंट गेटवे, सर्विस प्रोवाइडर"],
  ["गोपनीयता", "निजता"],
  ["सहेज", "सेव"],
  ["संस्करण", "वर्शन"],
  ["संदर्भ", "रेफ़रेंस"],
  ["प्रमाणपत्र", "सर्टिफ़िकेट"],
  ["समय समाप्त", "एक्सपायर"],
  ["कार्यदिवस", "कामकाजी दिन"],
  ["सँभाल", "मैनेज"],
  ["संभाल", "मैनेज"],
];

test("uses no retired term in Hindi", () => {
  const messages = Object.entries(messagesByKey.hi);
  expect(messages.length).toBeGreaterThan(2_000);
  const found = messages.flatMap(([key, text]) =>
    replacedInHindi
      .filter(([word, , kept = []]) => text?.includes(word) && !kept.includes(key.split(".")[0] ?? ""))
      .map(([word, instead]) => `${key}: ${word}: ${instead}`),
  );
  expect(found).toEqual([]);
});

test.each(
  replacedInHindi.flatMap(([word, , kept = []]) => kept.map((namespace) => [word, namespace] as const)),
)("still needs to keep %s in %s", (word, namespace) => {
  const texts = Object.entries(messagesByKey.hi).filter(([key]) => key.startsWith(`${namespace}.`));
  expect(texts.some(([, text]) => text?.includes(word))).toBe(true);
});

test("keeps the quoted sentences", () => {
  for (const key of quoted) expect(Object.keys(messagesByKey.en), key).toContain(key);
});

test.each([
  ["Manage every licence in one place.", "license"],
  ["Somebody else has an account.", "someone, the person who"],
  ["{licences, plural, one {# license} other {# licenses}}", null],
  ["Email <mail>{mail}</mail>", null],
])("%s: %s", (text, instead) => {
  expect(retiredTerm(text)).toBe(instead);
});
