/** Lines of Microsoft's bills in the documented columns of Partner Center's reconciliation file. */
import type { BillLine } from "../bills.ts";
import { guidOf, type JsonObject } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";

/** One line per charge, followed by two that every real bill has: a converted trial, and a trace of usage. */
export function billBodies(
  sandbox: Sandbox,
  partner: Partner,
  { invoice, lines }: { invoice: string; lines: readonly BillLine[] },
): JsonObject[] {
  const bodies = lines.map((line) => chargeBody(sandbox, partner, invoice, line));
  const [first] = bodies;
  if (first === undefined) return [];
  const free = { ...first, SubscriptionId: guidOf(`not ours ${invoice}`), Subtotal: "0", Total: "0" };
  return [
    ...bodies,
    {
      ...free,
      ChargeType: "convert",
      UnitPrice: "0",
      EffectiveUnitPrice: "0",
      Quantity: "25",
      BillableQuantity: "25",
      ReferenceId: guidOf(`trial ${invoice}`),
    },
    {
      ...free,
      ProductId: "DZH318Z0BPS6",
      SkuId: "001M",
      SkuName: "Azure plan",
      ProductName: "Azure plan",
      ChargeType: "cycleFee",
      UnitPrice: "0.0009765625",
      EffectiveUnitPrice: "0.0009765625",
      Quantity: "0.000416",
      BillableQuantity: "0.000416",
      UnitType: "1 GB",
      ChargeEndDate: "",
      MeterDescription: "Bandwidth - Data Transfer Out",
      ReferenceId: guidOf(`usage ${invoice}`),
    },
  ];
}

function chargeBody(sandbox: Sandbox, partner: Partner, invoice: string, line: BillLine): JsonObject {
  const { subscriptionId, kind, seats, unitPrice, amount, currency, startsAt, endsAt, id } = line;
  const subscription = sandbox.state.partner.subscriptions[subscriptionId];
  const customer = sandbox.state.partner.customers[subscription?.customerId ?? ""];
  const [productId, skuId] = (subscription?.offerId ?? "").split(":");
  const isFirst = startsAt === subscription?.startsAt;
  const charge =
    kind !== "seats" ? (isFirst ? "new" : "renew") : seats > 0 ? "addQuantity" : "removeQuantity";
  const [starts, ends] = [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()];
  return {
    PartnerId: guidOf(partner.tenant),
    CustomerId: subscription?.customerId,
    CustomerName: customer?.domain,
    CustomerDomainName: customer?.domain,
    CustomerCountry: partner.country,
    InvoiceNumber: invoice,
    MpnId: "1234567",
    Tier2MpnId: "0",
    OrderId: subscription?.orderId,
    OrderDate: starts,
    ProductId: productId,
    SkuId: skuId,
    AvailabilityId: "CFQ7TTC0K971",
    SkuName: subscription?.offerId,
    ProductName: subscription?.offerId,
    ChargeType: charge,
    UnitPrice: String(unitPrice),
    // Quantity of the whole subscription, unlike the billed one.
    Quantity: String(kind === "seats" ? (subscription?.quantity ?? seats) : seats),
    Subtotal: String(amount),
    TaxTotal: "0",
    Total: String(amount),
    Currency: currency,
    PriceAdjustmentDescription: "",
    PublisherName: "Microsoft Corporation",
    PublisherId: "",
    SubscriptionDescription: subscription?.offerId,
    SubscriptionId: subscriptionId,
    ChargeStartDate: starts,
    ChargeEndDate: ends,
    TermAndBillingCycle: `${subscription?.termDuration ?? ""} commitment`,
    EffectiveUnitPrice: String(seats === 0 ? 0 : amount / seats),
    UnitType: "Licenses",
    AlternateId: subscription?.orderId,
    BillableQuantity: String(seats),
    BillingFrequency: "",
    PricingCurrency: currency,
    PCToBCExchangeRate: "1",
    PCToBCExchangeRateDate: `${starts.slice(0, 7)}-01T00:00:00`,
    MeterDescription: "",
    ReservationOrderId: "",
    CreditReasonCode: "",
    SubscriptionStartDate: starts,
    SubscriptionEndDate: ends,
    ReferenceId: id,
    ProductQualifiers: "",
    PromotionId: "",
    ProductCategory: "OnlineServices",
  };
}
