/**
 * Reads Google's offers from a file with responses of Cloud Channel's `accounts.offers.list`: one page or a list of pages
 * (docs/providers.md, section 2). Uses the yearly commitment of each SKU, as when Google is asked.
 */
import { z } from "zod";
import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { VendorPrice } from "#db/catalogue/vendor-prices.ts";
import {
  type GoogleOffer,
  offer as offerOfGoogle,
  pickYearlyCommitment,
  yearlyPrice,
} from "#server/integrations/google.ts";
import { PriceFileError, roundUpToMinor, type WantedPrices } from "../vendor-catalogue.ts";

/** All offers of a large account take a few megabytes. */
const maxCharacters = 16 * 1024 * 1024;

const page = z.object({ offers: z.array(z.unknown()) });
const pages = z.union([page.transform((one) => [one]), z.array(page)]);
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const times = z.object({ startTime: moment.optional(), endTime: moment.optional() });

interface DatedOffer {
  offer: GoogleOffer;
  /** Offer number in the file, from 1. */
  number: number;
  startsAt: Date;
  endsAt: Date | null;
}

/** Start of a price in force, the same as of a fetched one, so that the next fetch replaces it. */
const always = new Date(0);

/** @throws PriceFileError for any other text, with the line, and for an offer that cannot be read, with its number */
export async function readOffers(
  pieces: AsyncIterable<string>,
  { market, currency, keys, now, tally }: WantedPrices,
): Promise<VendorPrice[]> {
  const leaveOut = (why: string): [] => {
    tally?.leaveOut(why);
    return [];
  };
  const ours = (await offersIn(pieces)).flatMap(({ offer, ...dated }) => {
    const [, productId, skuId] = /^products\/([^/]+)\/skus\/([^/]+)$/.exec(offer.sku ?? "") ?? [];
    if (productId === undefined || skuId === undefined || !keys.has(vendorKey({ productId, skuId })))
      return leaveOut("not sold here");
    const startsAt = dated.startsAt > now ? dated.startsAt : always;
    return dated.endsAt !== null && dated.endsAt <= now
      ? leaveOut("no longer offered")
      : [{ ...dated, offer, startsAt, ids: { productId, skuId } }];
  });
  const groups = new Map<string, typeof ours>();
  for (const one of ours) {
    const key = `${vendorKey(one.ids)} ${one.startsAt.getTime()}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group): VendorPrice[] => {
    const picked = pickYearlyCommitment(
      group.map(({ offer }) => offer),
      undefined,
      market,
    );
    const chosen = group.find(({ offer }) => offer === picked);
    for (const other of group) if (other !== chosen) leaveOut("not the yearly plan of this market");
    if (picked === undefined || chosen === undefined) return [];
    const price = yearlyPrice(picked);
    if (price === undefined) throw new PriceFileError(`Offer ${chosen.number} of the file has no price.`);
    if (price.currency !== currency) return leaveOut(`not in ${currency}`);
    tally?.take();
    return [
      {
        ...chosen.ids,
        term: "P1Y",
        billingCycle: "annual",
        currency,
        minSeats: 1,
        maxSeats: null,
        costMinor: roundUpToMinor(price.ours),
        retailMinor: roundUpToMinor(price.list),
        startsAt: chosen.startsAt,
        endsAt: chosen.endsAt,
      },
    ];
  });
}

async function offersIn(pieces: AsyncIterable<string>): Promise<DatedOffer[]> {
  const { data } = pages.safeParse(jsonOf(await textOf(pieces)));
  if (data === undefined)
    throw new PriceFileError(`This isn't a Google offers file: it has no list named "offers".`);
  return data
    .flatMap(({ offers }) => offers)
    .map((each, index): DatedOffer => {
      const read = offerOfGoogle.safeParse(each);
      const dated = times.safeParse(each);
      const problem = read.error ?? dated.error;
      if (read.data === undefined || dated.data === undefined) {
        const [first] = problem?.issues ?? [];
        throw new PriceFileError(
          `Offer ${index + 1} of the file cannot be read: ${first?.path.join(".") || "it"} is not as Google writes it.`,
        );
      }
      const { startTime, endTime } = dated.data;
      return {
        offer: read.data,
        number: index + 1,
        startsAt: startTime ?? always,
        endsAt: endTime ?? null,
      };
    });
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length > maxCharacters) throw new PriceFileError("The file is too long for Google's offers.");
  }
  return text.replace(/^\uFEFF/, "");
}

/** @throws PriceFileError for invalid JSON, with the line if the parser reports it */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
    const before = position === undefined ? text : text.slice(0, Number(position));
    throw new PriceFileError(`Line ${before.split("\n").length} of the file is not JSON.`, { cause: error });
  }
}
