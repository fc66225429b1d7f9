/** Steps of a journey, and how far a link may lead (docs/specification.md, sections 2.5 and 4.1). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentStep, type Journey, openableStep, type Progress, stepsOf } from "#app/journey/steps.ts";
import type { FamilyId, Stage } from "#db/tables/enums.ts";
import { type MessageDescriptor, translate } from "#server/foundation/languages/text.ts";
import type { OrderStepSlug } from "#server/foundation/paths.ts";

const microsoft = { kind: "NEW", family: "microsoft", fulfilmentStatus: "not_due" } as const;
const google = { ...microsoft, family: "google" } as const;
const brio = { ...microsoft, family: "brio" } as const;
const ofCustomer = (["TUP", "ADDON"] as const).map((kind) => ({ ...microsoft, kind }));
const stages: readonly Stage[] = ["none", "stage1", "stage2", "stage3", "stage4"];
const slugs: readonly OrderStepSlug[] = [
  "subscription-details",
  "create-account",
  "place-order",
  "sign-in",
  "order-processed",
];

const titleOf = ({ title }: { title: MessageDescriptor }) => translate("en", title);

describe("stepsOf", () => {
  it.each([microsoft, google])("returns five steps for $family", (journey) => {
    expect(stepsOf(journey).map(({ slug }) => slug)).toEqual(slugs);
  });

  it.each(ofCustomer)("returns three for $kind", (journey) => {
    expect(stepsOf(journey).map(titleOf)).toEqual(["Subscription Details", "Place Order", "Order Processed"]);
  });

  it.each(ofCustomer)("asks $kind to sign in only when its name turned out to be taken", (journey) => {
    const waiting = stepsOf({ ...journey, fulfilmentStatus: "waiting_for_signin" });
    expect(waiting.map(({ slug }) => slug)).toContain("sign-in");
  });

  it("names them as the specification does", () => {
    expect(stepsOf(microsoft).map(titleOf)).toEqual([
      "Subscription Details",
      "Create Account",
      "Place Order",
      "Microsoft Sign-In",
      "Order Processed (Fulfilment Pending)",
    ]);
    expect(stepsOf(google).map(titleOf)[3]).toBe("Google Sign-In");
    for (const fulfilmentStatus of [
      "not_due",
      "waiting_for_signin",
      "queued",
      "running",
      "needs_attention",
    ] as const) {
      expect(
        stepsOf({ ...microsoft, fulfilmentStatus })
          .map(titleOf)
          .at(-1),
      ).toBe("Order Processed (Fulfilment Pending)");
    }
    expect(
      stepsOf({ ...microsoft, fulfilmentStatus: "done" })
        .map(titleOf)
        .at(-1),
    ).toBe("Order Processed");
  });

  it("leaves sign-in out for brio, which has no outside tenant", () => {
    expect(stepsOf(brio).map(({ slug }) => slug)).toEqual(slugs.filter((slug) => slug !== "sign-in"));
    expect(stepsOf(brio).every((step) => titleOf(step) !== "")).toBe(true);
  });

  it("saves a later stage with every step, and none after the last", () => {
    for (const order of [microsoft, brio, ...ofCustomer]) {
      const saved = stepsOf(order).map(({ stageAfter }) => stageAfter);
      expect(saved.at(-1)).toBeNull();
      const indexes = saved.slice(0, -1).map((stage) => (stage === null ? -1 : stages.indexOf(stage)));
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
      expect(new Set(indexes).size).toBe(indexes.length);
    }
  });
});

describe("currentStep: the table of the specification", () => {
  it.each([
    ["none", "subscription-details"],
    ["stage1", "create-account"],
    ["stage2", "place-order"],
    ["stage3", "sign-in"],
    ["stage4", "order-processed"],
  ] as const)("%s shows %s", (stage, slug) => {
    expect(currentStep({ ...microsoft, stage }).slug).toBe(slug);
  });

  it.each([
    ["none", "subscription-details"],
    ["stage1", "create-account"],
    ["stage2", "place-order"],
    ["stage3", "order-processed"],
    ["stage4", "order-processed"],
  ] as const)("%s shows %s for brio", (stage, slug) => {
    expect(currentStep({ ...brio, stage }).slug).toBe(slug);
  });
});

describe.each(ofCustomer)("currentStep of $kind: the table of the specification", (journey) => {
  it.each([
    ["none", "subscription-details"],
    ["stage1", "place-order"],
    ["stage2", "place-order"],
    ["stage3", "place-order"],
    ["stage4", "order-processed"],
  ] as const)("%s shows %s", (stage, slug) => {
    expect(currentStep({ ...journey, stage }).slug).toBe(slug);
  });
});

describe("openableStep", () => {
  const families: readonly FamilyId[] = ["microsoft", "google", "brio"];
  const orders = fc.record({
    kind: fc.constantFrom("NEW" as const, "TUP" as const, "ADDON" as const),
    family: fc.constantFrom(...families),
    fulfilmentStatus: fc.constantFrom("not_due" as const, "waiting_for_signin" as const, "queued" as const),
    stage: fc.constantFrom(...stages),
    paymentStatus: fc.constantFrom(
      "none" as const,
      "pending" as const,
      "completed" as const,
      "refunded" as const,
    ),
  });
  const requestedSlug = fc.constantFrom(...slugs);
  const isOver = ({ stage, paymentStatus }: Progress) =>
    stage === "stage3" || stage === "stage4" || paymentStatus === "refunded";
  /** The step to which a link to an unavailable step leads. */
  const standsAt = (order: Progress): OrderStepSlug => {
    const isGivenBack = order.paymentStatus === "refunded" && order.fulfilmentStatus === "not_due";
    return isGivenBack && isOver({ ...order, paymentStatus: "none" })
      ? "place-order"
      : currentStep(order).slug;
  };
  const indexOf = (order: Journey, slug: OrderStepSlug) =>
    stepsOf(order).findIndex((step) => step.slug === slug);

  it("opens a step of the journey, never past the first unfinished one", () => {
    fc.assert(
      fc.property(orders, requestedSlug, (order, slug) => {
        const opened = indexOf(order, openableStep(order, slug));
        expect(opened).toBeGreaterThanOrEqual(0);
        expect(opened).toBeLessThanOrEqual(indexOf(order, currentStep(order).slug));
      }),
    );
  });

  it("opens the current step without redirecting in a circle", () => {
    fc.assert(
      fc.property(orders, requestedSlug, (order, slug) => {
        const current = standsAt(order);
        expect(openableStep(order, current)).toBe(current);
        const opened = openableStep(order, slug);
        expect(openableStep(order, opened)).toBe(opened);
      }),
    );
  });

  it("opens earlier steps until payment, then only the current one", () => {
    fc.assert(
      fc.property(orders, requestedSlug, (order, slug) => {
        const current = standsAt(order);
        const at = indexOf(order, slug);
        const isEarlier = at !== -1 && at <= indexOf(order, current);
        expect(openableStep(order, slug)).toBe(isEarlier && !isOver(order) ? slug : current);
      }),
    );
  });

  it("opens no sign-in step for brio", () => {
    for (const stage of stages) {
      const order = { ...brio, stage, paymentStatus: "none" } as const;
      expect(openableStep(order, "sign-in")).toBe(currentStep({ ...brio, stage }).slug);
    }
  });
});
