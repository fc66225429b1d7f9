/**
 * `/ui`, in development only: every component in every state, in the browser's light or dark scheme. Nothing is styled here.
 */

import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { z } from "zod";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { pageLoader } from "../../http/page.ts";
import { NeedsAttention, OrderInProgress } from "../../journey/order-progress.tsx";
import { Panel } from "../../journey/panel.tsx";
import type { Timeline } from "../../journey/timeline-data.ts";
import { Callout } from "../../ui/callout.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { InitiallyOpenDialog, Popup, togglesPopover } from "../../ui/dialog.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { Icon } from "../../ui/icons.tsx";
import { EmptyList, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { MonthlyChart } from "../../ui/monthly-chart.tsx";
import { NotificationBanner } from "../../ui/notification-banner.tsx";
import { PriceSummary } from "../../ui/price-summary.tsx";
import { Progress } from "../../ui/progress.tsx";
import { StepList } from "../../ui/step-list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { SummaryList, Totals } from "../../ui/summary-list.tsx";
import { Tiles } from "../../ui/tiles.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { appById } from "../home/apps.ts";
import { Choices } from "./choices.tsx";
import { Fields } from "./fields.tsx";

export const meta = noindexMeta("Components");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async ({ context }) => {
  if (context.env.NODE_ENV !== "development") throw notFound();
  return { day: dateView(new Date(), standardCountry) };
});

const longName = "Shri Venkateshwara Precision Instruments & Engineering Pvt Ltd";

const timeline: Timeline = {
  label: "What happened to your order",
  steps: [
    { title: "Paid", state: "done", stateWord: "done", when: "22nd November 2026, 10:15" },
    { title: "Licenses ready", state: "now", stateWord: "under way", when: null },
    { title: "Emailed to you", state: "upcoming", when: null },
  ],
};

const months = ["Nov", "Dec", "Jan", "Feb"].map((month, index) => ({
  iso: index < 2 ? `2026-${11 + index}` : `2027-0${index - 1}`,
  month,
  year: index < 2 ? "2026" : "2027",
  amount: index === 1 ? null : { full: "₹1,04,976", short: "₹1.05L" },
  share: index === 1 ? 0 : 100 - 20 * index,
  isDue: index === 0,
}));

export default function Components() {
  const { day } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Components</h1>
      <p className="lead">
        What every screen is made of. A component is in app/ui, its look in app/styles; colours, spaces and
        sizes are variables of tokens.css.
      </p>
      <Part
        name="Button"
        use="<SubmitButton look>; button or a.button with quiet, danger, plain or icon, and with tall or full"
      >
        <p className="actions">
          <SubmitButton>Next</SubmitButton>
          <SubmitButton variant="quiet">Save</SubmitButton>
          <SubmitButton variant="danger">Remove</SubmitButton>
          <button type="button" aria-busy="true">
            On its way
          </button>
          <button type="button" className="quiet" aria-busy="true">
            On its way
          </button>
          <button type="button" disabled>
            Not yet
          </button>
          <a className="button" href={paths.home()}>
            The shop
          </a>
          <a className="button plain" href={paths.home()}>
            Plain
          </a>
          <a href={paths.home()}>A plain link</a>
        </p>
      </Part>
      <Part name="The main button" use="button.tall.full, one on a page">
        <button type="button" className="tall full">
          Place Order · Pay ₹1,75,485
        </button>
      </Part>
      <Part name="Sign" use="<Wordmark>, <Tiles>, <Icon>; .badge with due, good, bad or new">
        <p className="brand">
          <Wordmark name="Store" />
        </p>
        <Tiles label="Apps" of={["word", "excel", "powerpoint", "outlook", "defender"].map(appById)} />
        <p className="in-row">
          <span className="badge">Ended</span>
          <span className="badge due">Ends in 20 days</span>
          <span className="badge good">Paid</span>
          <span className="badge bad">Refused</span>
          <span className="badge new">Most chosen</span>
        </p>
      </Part>
      <Part name="Choice cards and stepper" use=".choices around label.choice, <Stepper> around an input">
        <Choices />
      </Part>
      <Part name="Bill" use="<Bill>; .bill-top and .bill-end for what stands around its lines">
        <div className="task">
          <p>
            What is asked stands in the wide column of <code>.task</code>, its bill in the narrow one.
          </p>
          <div>
            <PriceSummary
              label="Your bill"
              top={
                <>
                  <h3>Your bill</h3>
                  <p className="hint">Microsoft 365 Business Standard</p>
                </>
              }
              lines={[
                { label: "17 × ₹8,748", value: "₹1,48,716.00" },
                { label: "GST 18%", value: "₹26,768.88" },
                { label: "Rounding", value: "₹0.12" },
              ]}
              total={{ label: "Total for one year", value: "₹1,75,485" }}
            >
              <ul className="bill-end">
                <li>
                  <Icon name="lock" size={20} />
                  Nothing is charged before you place the order.
                </li>
              </ul>
            </PriceSummary>
          </div>
        </div>
      </Part>
      <Part name="Bar" use=".bar: the sum and the way on at the bottom edge">
        <p className="bar">
          <span>
            Total <b>₹1,75,485</b>
          </span>
          <button type="button" className="tall">
            Next
          </button>
        </p>
      </Part>
      <Part name="Facts" use="dl.facts, and .ruled">
        <dl className="facts ruled card">
          <div>
            <dt>Company</dt>
            <dd>{longName}</dd>
          </div>
          <div>
            <dt>GSTIN</dt>
            <dd>29AABCH0000A1Z5</dd>
          </div>
        </dl>
      </Part>
      <Part name="Progress and story" use="<Progress>, <Story>, progress">
        <Progress
          label="Your order"
          done="done"
          steps={[
            { title: "Subscription Details", state: "done", href: paths.home() },
            { title: "Create Account", state: "current", href: null },
            { title: "Place Order", state: "ahead", href: null },
          ]}
        />
        <StepList
          steps={[
            { title: "Paid", state: "done", children: <p className="when">3rd March 2025, 10:12</p> },
            { title: "Your licenses are being made ready", state: "now" },
            { title: "Sign in at the admin centre", state: "todo" },
            { title: "The email was not accepted", state: "failed" },
            { title: "Emailed to you", state: "upcoming" },
          ]}
        />
        <progress value={3} max={5} aria-label="Steps done" />
      </Part>
      <Part name="Field" use="<Field>, <ErrorSummary>, .choice; all in a <PostForm> or <Form>">
        <Fields />
      </Part>
      <Part name="Words" use="h1, h2, .lead, .hint">
        <p className="lead">A sentence that leads.</p>
        <p>
          A paragraph with <a href={paths.home()}>a way to the shop</a>, <strong>something strong</strong> and{" "}
          <code>code</code>.
        </p>
        <p className="hint">A hint, for who wants to know more.</p>
      </Part>
      <Part name="Money" use="<Money>, <Lines>, <Totals>">
        <p>
          <Money>₹1,23,85,100.00</Money> instead of{" "}
          <s>
            <Money>₹1,45,00,000.00</Money>
          </s>
        </p>
        <SummaryList
          lines={[
            { label: "Product", value: "Microsoft 365 Business Premium" },
            { label: "Sold to", value: longName },
          ]}
        />
        <Totals
          lines={[
            { label: "Subtotal", value: "₹1,04,95,847.46" },
            { label: "Estimated tax (18%)", value: "₹18,89,252.54" },
            { label: "Total", value: "₹1,23,85,100.00", strong: true },
          ]}
        />
      </Part>
      <Part name="Date" use="<DateText>">
        <p>
          <DateText {...day} />
        </p>
      </Part>
      <Part name="Callout" use='<Callout type="info | due | success | error" live>'>
        <Callout type="info">
          <p>You look on: buying is for owners and buyers.</p>
        </Callout>
        <Callout type="due">
          <p>This price is held for 7 days.</p>
        </Callout>
        <Callout type="success" live>
          <p>Password Updated Successfully!</p>
        </Callout>
        <Callout type="error">
          <p>The payment was not successful. You have not been charged.</p>
        </Callout>
      </Part>
      <Part name="Notification" use="redirectWith(page, to, { type, message }); root.tsx shows a <Notice>">
        <NotificationBanner type="success" message="The invitation is on its way." />
        <NotificationBanner message="You must have base product for purchasing copilot for Microsoft 365" />
      </Part>
      <Part name="Card" use=".card with .card-head, and .cards for a list of them">
        <ul className="cards">
          <li className="card">
            <div className="card-head">
              <h2>Company</h2>
              <a href={paths.home()}>Change</a>
            </div>
            <h3>{longName}</h3>
            <p>One idea each.</p>
          </li>
        </ul>
      </Part>
      <Part name="Table" use="<ListTools>, <ListTable>, <ListPages>">
        <ListTools searchLabel="Domain or order ID" />
        <ListTable
          label="Orders"
          columns={[
            "Service Details",
            { label: "Domain", holds: "words" },
            "Grand Total",
            "Created On",
            { label: "Actions", holds: "acts" },
          ]}
          rows={["a", "b"].map((id) => ({
            id,
            cells: [
              "Microsoft 365 Business Premium",
              "a-rather-long-name-for-a-domain.onmicrosoft.com",
              <Money key="total">₹1,23,85,100.00</Money>,
              <DateText key="day" {...day} />,
              <a key="open" href={paths.myOrders()}>
                Open
              </a>,
            ],
          }))}
        />
        <ListPages label="Pages of orders" next="more" />
      </Part>
      <Part name="Months" use="<Months> in a .card.chart">
        <div className="card chart">
          <MonthlyChart label="Upcoming renewals" bars={months} />
        </div>
      </Part>
      <Part name="Empty state" use="<EmptyList>, which is an <Empty>">
        <EmptyList
          message="Orders not found."
          hint="Paid orders and their invoices will appear here."
          drawing="orders"
          mayBuy
        />
      </Part>
      <Part
        name="Dialog"
        use="<Popup> and togglesPopover(id); <InitiallyOpenDialog> where the page begins with it"
      >
        <button type="button" {...togglesPopover("sample")}>
          Open
        </button>
        <Popup id="sample" title="Your order">
          <p>Escape, a press outside and Close give the focus back.</p>
        </Popup>
        <InitiallyOpenDialog id="sample-open" title="Account already exists, please Login instead">
          <p>Everything you typed is kept.</p>
        </InitiallyOpenDialog>
      </Part>
      <Part name="Steps" use="<Panel>">
        <Panel
          steps={[
            {
              slug: "subscription-details",
              title: "Subscription Details",
              state: "done",
              href: paths.home(),
            },
            { slug: "place-order", title: "Place Order", state: "current", href: null },
            { slug: "order-processed", title: "Order Processed", state: "ahead", href: null },
          ]}
          summary={{
            name: "Microsoft 365 Business Premium",
            quantity: "300 licenses, one year",
            total: "₹1,23,85,100",
            isPaid: false,
          }}
          service={null}
          supportUrl={paths.home()}
        />
      </Part>
      <Part name="Pending and failed" use="<Working>, <NeedsAttention>; error pages are ui/error-page.tsx">
        <OrderInProgress
          waitUrl={paths.validateToken()}
          waitState=""
          waitMs={60_000}
          doing="We are adding product to your account. This may take a minute."
          note={null}
          timeline={timeline}
        />
        <NeedsAttention
          orderNumber="HUB-26-000123"
          supportUrl={paths.home()}
          problem={null}
          timeline={{ label: "", steps: [] }}
        />
      </Part>
      <Part name="A value to take along" use="<Copyable> in a dl.lines">
        <dl className="lines">
          <Copyable label="Username" value="admin@a-rather-long-name-for-a-domain.onmicrosoft.com" />
        </dl>
      </Part>
    </div>
  );
}

function Part({ name, use, children }: { name: string; use: string; children: ReactNode }) {
  return (
    <section>
      <h2>{name}</h2>
      <p className="hint">
        <code>{use}</code>
      </p>
      {children}
    </section>
  );
}
