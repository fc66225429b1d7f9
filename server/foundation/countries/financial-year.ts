/** India's financial year, from 1 April to 31 March, for invoice numbers and letters of undertaking. */

const april = 4;

/** Returns the calendar years in which the financial year of a month (1 to 12) begins and ends. */
export function financialYearOf({ year, month }: { year: number; month: number }): {
  first: number;
  last: number;
} {
  const first = month >= april ? year : year - 1;
  return { first, last: first + 1 };
}

/** Formats "26-27" for invoice numbers. */
export function shortFinancialYear(at: { year: number; month: number }): string {
  const { first, last } = financialYearOf(at);
  return `${twoDigits(first)}-${twoDigits(last)}`;
}

/** Formats "2026-27" for the tax office. */
export function longFinancialYear(at: { year: number; month: number }): string {
  const { first, last } = financialYearOf(at);
  return `${first}-${twoDigits(last)}`;
}

/**
 * Returns the date by which a buyer has to issue the certificate of withheld tax (TDS): the fifteenth of the second month after
 * the quarter, and of June after the last one (docs/providers.md, section 3.5).
 * @param month 1 to 12, in which it was withheld
 * @returns "2026-11-15"
 */
export function tdsCertificateDue({ year, month }: { year: number; month: number }): string {
  const lastOfQuarter = Math.ceil(month / 3) * 3;
  const isLastQuarter = month < april;
  const due = lastOfQuarter + (isLastQuarter ? 3 : 2);
  const [dueYear, dueMonth] = due > 12 ? [year + 1, due - 12] : [year, due];
  return `${dueYear}-${twoDigits(dueMonth)}-15`;
}

/**
 * Returns the last day on which a credit note can cancel a supply's invoice: 30 November after the end of its financial year
 * (section 34 of the CGST Act; docs/decisions/invoices.md#corrected-invoices).
 * @param at the month (1 to 12) of the supply
 * @returns "2027-11-30"
 */
export function lastDayToCredit(at: { year: number; month: number }): string {
  return `${financialYearOf(at).last}-11-30`;
}

function twoDigits(year: number): string {
  return String(year % 100).padStart(2, "0");
}
