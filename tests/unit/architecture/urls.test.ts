/** Each URL is defined once: routes.ts lists them, server/foundation/paths.ts builds them, and no page contains a literal one. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import ts from "typescript";
import { expect, test } from "vitest";
import { pageOfDownload } from "#app/http/return-path.ts";
import routes from "#app/routes.ts";
import * as paths from "#server/foundation/paths.ts";
import { filesUnder, projectFolder, textOf } from "#tests/support/tree.ts";

interface Route {
  url: string;
  entry: RouteConfigEntry;
}

function walk(entries: readonly RouteConfigEntry[], above = ""): Route[] {
  return entries.flatMap((entry) => {
    const url = [above, entry.path].filter(Boolean).join("/");
    return [{ url: `/${url}`, entry }, ...walk(entry.children ?? [], url)];
  });
}

const all = walk(routes);
/** Routes that respond at a URL. A layout responds only through its index. */
const answering = all.filter(({ entry }) => entry.children === undefined);

test("lists each URL once", () => {
  const shape = ({ url }: Route) => url.replaceAll(/:\w+/g, ":");
  const urls = answering.map(shape);
  expect(urls.length).toBeGreaterThan(10);
  expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
});

test("matches every URL case-sensitively", () => {
  const careless = all.filter(({ entry }) => entry.index !== true && entry.caseSensitive !== true);
  expect(careless.map(({ url }) => url)).toEqual([]);
});

test("maps each URL to a file, and each route file to a URL", () => {
  const files = all.map(({ entry }) => entry.file);
  expect(files.filter((file) => !existsSync(path.join(projectFolder, "app", file)))).toEqual([]);
  // Each call is one file and each screen's folder has a route.tsx, so an unused one would go unnoticed.
  const routeFiles = [
    ...filesUnder("app/api", /\.ts$/).filter((file) => !/api\/(shared\/|endpoints\.ts)/.test(file)),
    ...filesUnder("app/resources", /\.ts$/),
    ...filesUnder("app/pages", /^route\.tsx$/),
    ...filesUnder("app/desk", /^route\.tsx$/),
    ...filesUnder("app/journey", /^(route|new-(order|contract|add-on|buy-more|renewal))\.tsx$/),
  ];
  expect(routeFiles.map((file) => file.replace("app/", "")).filter((file) => !files.includes(file))).toEqual(
    [],
  );
});

test("shares one module per step between the journeys", () => {
  const stepsUnder = (journey: string) =>
    new Map(
      all
        .filter(({ url }) => url.startsWith(journey) && url.length > journey.length)
        .map(({ url, entry }) => [url.slice(journey.length + 1), entry.file]),
    );
  const purchase = stepsUnder("/order/:id/:family/:item/:country");
  expect([...purchase.keys()]).toContain("create-account");
  purchase.delete("create-account");
  expect([...purchase.keys()]).toEqual(["subscription-details", "place-order", "sign-in", "order-processed"]);
  expect(stepsUnder("/contract/:id/:family")).toEqual(purchase);
  expect(stepsUnder("/subscription/addon/:id")).toEqual(purchase);
  expect(stepsUnder("/buy/more/:subscriptionId/:id")).toEqual(purchase);
  expect(stepsUnder("/:subscriptionId/renew/:id")).toEqual(purchase);
});

/** One call of every builder. The compiler refuses a builder that is missing here. */
const plan = { family: "microsoft", item: "some-plan", country: "IN" };
const order = { ...plan, id: "3f0c0000-0000-4000-8000-000000000000" };
const built = {
  microsoftDomain: paths.microsoftDomain("contoso"),
  googleDomain: paths.googleDomain("contoso.com", "IP"),
  home: paths.home({ service: "google", country: "US" }),
  explore: paths.explore(),
  customerHome: paths.customerHome(),
  compare: paths.compare({ service: "google", plan: "some-plan" }),
  choose: paths.choose(),
  about: paths.about(),
  terms: paths.terms(),
  refunds: paths.refunds(),
  privacy: paths.privacy(),
  grievances: paths.grievances(),
  accessibility: paths.accessibility(),
  paymentMethods: paths.paymentMethods(),
  country: paths.country(),
  language: paths.language(),
  renewals: paths.renewals(),
  renewalFeed: paths.renewalFeed("a-token"),
  renewalChoice: paths.renewalChoice(order.id),
  renewalLink: paths.renewalLink("a-token"),
  invoice: paths.invoice(order.id),
  invoicePdf: paths.invoicePdf(order.id),
  billingContact: paths.billingContact("a".repeat(43)),
  company: paths.company(),
  companyBillingAddress: paths.companyBillingAddress("new"),
  orderReferences: paths.orderReferences(order.id),
  refusedDocument: paths.refusedDocument(order.id, "IN/26-27/000001"),
  payAnotherWay: paths.payAnotherWay(order.id),
  proforma: paths.proforma(order.id),
  orderQuote: paths.orderQuote(order.id),
  quote: paths.quote(order.id),
  quoteRequest: paths.quoteRequest("a-token"),
  quotePdf: paths.quotePdf(order.id),
  proformaPdf: paths.proformaPdf(order.id),
  creditNote: paths.creditNote(order.id),
  creditNotePdf: paths.creditNotePdf(order.id),
  myData: paths.myData(),
  myDataZip: paths.myDataZip(order.id),
  cancelAccountDeletion: paths.cancelAccountDeletion("a-token"),
  documents: paths.documents({ year: "2026", page: "a-cursor" }),
  documentsFile: paths.documentsFile({ year: "2026" }),
  documentsZip: paths.documentsZip({ from: "2026-04-01", to: "2026-04-30" }),
  statement: paths.statement({ from: "2026-04-01", to: "2026-06-30" }),
  statementFile: paths.statementFile({ year: "2026" }),
  statementPdf: paths.statementPdf({ year: "2026" }),
  licences: paths.licences({ year: "2026" }),
  licencesFile: paths.licencesFile({ year: "2026" }),
  desk: paths.desk({ after: "a-cursor", kind: "mail" }),
  deskWorkQueueCsv: paths.deskWorkQueueCsv({ kind: "mail" }),
  deskLogin: paths.deskLogin("/desk/orders"),
  deskCode: paths.deskCode("/desk/orders"),
  deskSetup: paths.deskSetup("a-token"),
  deskLogout: paths.deskLogout(),
  deskOrders: paths.deskOrders({ search: "acme", page: "a-cursor" }),
  deskOrdersCsv: paths.deskOrdersCsv({ search: "acme" }),
  deskOrder: paths.deskOrder(order.id),
  deskDocuments: paths.deskDocuments({ kind: "invoice" }),
  deskDocumentsCsv: paths.deskDocumentsCsv({ from: "2026-11-01" }),
  deskDocumentsZip: paths.deskDocumentsZip({ from: "2026-11-01" }),
  deskDocument: paths.deskDocument("IN/26-27/000001"),
  deskDocumentPdf: paths.deskDocumentPdf("IN/26-27/000001"),
  deskGstr1: paths.deskGstr1({ month: "2026-11" }),
  deskGstr1File: paths.deskGstr1File({ month: "2026-11", gstin: "29AABCB1234C1ZA", file: "gstr1.json" }),
  deskMoney: paths.deskMoney(),
  deskMoneyList: paths.deskMoneyList("refunds", { state: "failed" }),
  deskMoneyCsv: paths.deskMoneyCsv("refunds"),
  deskCustomers: paths.deskCustomers({ search: "acme", page: "a-cursor" }),
  deskCustomersCsv: paths.deskCustomersCsv({ search: "acme" }),
  deskCustomer: paths.deskCustomer(order.id),
  deskTenantImport: paths.deskTenantImport(),
  deskEndImpersonation: paths.deskEndImpersonation(),
  deskActionForm: paths.deskActionForm("order.refund", order.id),
  deskMail: paths.deskMail({ recipient: "asha@acme.example", state: "bounced" }),
  deskJobs: paths.deskJobs({ state: "failed" }),
  deskVendors: paths.deskVendors(),
  deskPrices: paths.deskPrices({ page: "7" }),
  deskPricesCsv: paths.deskPricesCsv(),
  deskPriceList: paths.deskPriceList(3, { show: "below-cost", after: "100" }),
  deskPriceHistory: paths.deskPriceHistory("microsoft-365-business-basic"),
  deskTexts: paths.deskTexts(),
  deskItemTexts: paths.deskItemTexts("microsoft-365-business-basic"),
  deskSlide: paths.deskSlide("laptop"),
  deskStaff: paths.deskStaff(),
  deskStaffCsv: paths.deskStaffCsv(),
  deskAudit: paths.deskAudit({ staff: "asha" }),
  deskAuditCsv: paths.deskAuditCsv({ action: "order." }),
  members: paths.members(),
  invite: paths.invite("a-token"),
  microsoftSignup: paths.microsoftSignup(),
  sync: paths.sync(),
  components: paths.components(),
  search: paths.search({ query: "exchange", page: "2" }),
  login: paths.login("/subscriptions"),
  loginCode: paths.loginCode("/subscriptions"),
  loginPasskey: paths.loginPasskey("/subscriptions"),
  signup: paths.signup("/subscriptions"),
  forgotPassword: paths.forgotPassword(),
  continueAs: paths.continueAs("/home"),
  account: paths.account(),
  secondFactor: paths.secondFactor(),
  passkeys: paths.passkeys("/subscriptions"),
  passkeyOptions: paths.passkeyOptions(),
  signIns: paths.signIns(),
  notifications: paths.notifications(),
  unsubscribe: paths.unsubscribe("token"),
  outlookSignIn: paths.outlookSignIn("/subscriptions"),
  outlookCallback: paths.outlookCallback(),
  outlookProof: paths.outlookProof(),
  signInAt: paths.signInAt("google", "/subscriptions"),
  signInCallback: paths.signInCallback("google"),
  signInProof: paths.signInProof("google"),
  administratorCallback: paths.administratorCallback(),
  approval: paths.approval(order.id, { sign: "in" }),
  approve: paths.approve("a-token"),
  sitemap: paths.sitemap(),
  robots: paths.robots(),
  securityTxt: paths.securityTxt(),
  manifest: paths.manifest(),
  messages: paths.messages({ language: "hi", version: "1" }),
  apiDocs: paths.apiDocs(),
  openApi: paths.openApi(),
  live: paths.live(),
  ready: paths.ready(),
  changePassword: paths.changePassword(),
  mailedCode: paths.mailedCode(),
  passwordLink: paths.passwordLink(),
  logout: paths.logout(),
  validateToken: paths.validateToken(),
  setPassword: paths.setPassword("a-token"),
  resetPassword: paths.resetPassword("a-token"),
  resume: paths.resume("a-token"),
  newOrder: paths.newOrder(plan),
  order: paths.order(order),
  newContract: paths.newContract(plan),
  contractById: paths.contractById(order),
  contract: paths.contract(order),
  newAddOn: paths.newAddOn({ sku_id: "SKU:0002" }),
  addOn: paths.addOn(order),
  buyMore: paths.buyMore(order.id, { stage: "3" }),
  cancelSubscription: paths.cancelSubscription(order.id, { give: "2" }),
  seatsOrder: paths.seatsOrder({ subscriptionId: order.id, id: order.id }),
  renew: paths.renew(order.id),
  renewalOrder: paths.renewalOrder({ subscriptionId: order.id, id: order.id }),
  subscriptions: paths.subscriptions({ completed: order.id }),
  myOrders: paths.myOrders({ service: "google" }),
  cart: paths.cart({ removed: order.id }),
  cspReports: paths.cspReports(),
  paymentReturn: paths.paymentReturn(),
  razorpayWebhook: paths.razorpayWebhook(),
  paymentLinkWebhook: paths.paymentLinkWebhook(),
  bankTransferWebhook: paths.bankTransferWebhook(),
  vendorWebhook: paths.vendorWebhook("microsoft"),
  stage: paths.stage(order.id),
  invitationStatus: paths.invitationStatus(order.id, "someone@example.com"),
} satisfies Record<keyof typeof paths, string>;

const patterns = answering
  .filter(({ url }) => url !== "/*")
  .map(({ url, entry }) => ({
    pattern: new RegExp(`^${url.replaceAll(/:\w+/g, "[^/]+")}$`),
    file: entry.file,
  }));
/** Lists the modules of the routes that may respond at a URL. */
const filesAt = (url: string) =>
  patterns.filter(({ pattern }) => pattern.test(url.replace(/[?#].*$/, ""))).map(({ file }) => file);
const isRoute = (url: string) => filesAt(url).length > 0;

test.each(Object.entries(built))("builds a URL of routes.ts with paths.%s", (_name, url) => {
  expect(isRoute(url), url).toBe(true);
});

test("returns people from sign-in to a file's page, or else to the same URL", () => {
  const sourcesAt = (url: string) => filesAt(url).map((file) => textOf(`app/${file}`));
  const isFile = (url: string) =>
    sourcesAt(url).some((source) => /^export const loader = (downloadLoader|deskFileLoader)\(/m.test(source));
  const files = Object.values(built).filter(isFile);
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) expect(sourcesAt(pageOfDownload(file)).join(), file).toContain("export default");
  const others = Object.values(built).filter((url) => !isFile(url));
  expect(others.map(pageOfDownload)).toEqual(others);
});

/** First segments of pages and calls, such as "search" and "order". */
const firstSegments = new Set(
  all.flatMap(({ entry, url }) => {
    const [, first = ""] = url.split("/");
    return entry.path === undefined || !/^[A-Za-z]/.test(first) ? [] : [first];
  }),
);
const ownUrl = new RegExp(`^/(${[...firstSegments].join("|")})(/|\\?|#|$)`);

/** Lists the literal URLs of the store in a source file, including the beginnings of templates. */
function urlsIn(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isJsxText(node);
    if (isText && ownUrl.test(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Files whose purpose is to name URLs. */
const nameUrls = ["server/foundation/paths.ts", "app/routes.ts", "app/ui/navigation.ts"];
/** URLs of other companies. */
const othersUrls = /^server\/integrations\//;

test("spells out no URL in pages, calls or the server", () => {
  const sources = ["app", "server"]
    .flatMap((folder) => filesUnder(folder, /\.tsx?$/))
    .filter((file) => !nameUrls.includes(file) && !othersUrls.test(file));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap((file) => urlsIn(file).map((url) => `${file}: ${url}`))).toEqual([]);
});

test("finds literal URLs", () => {
  expect(urlsIn("server/foundation/paths.ts")).toEqual(
    expect.arrayContaining(["/login", "/order/", "/search"]),
  );
});
