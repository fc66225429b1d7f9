/** The approval page: its steps, each done or open, and its final states. Plain forms and links. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

interface Ending {
  /** The order's own page, or null for the holder of a mailed link. */
  orderHref: string | null;
}

/** A link back to the order, for visitors who may open it. */
function WayOn({ orderHref, otherwise }: Ending & { otherwise: string }) {
  if (orderHref === null) return <p>{otherwise}</p>;
  return (
    <p>
      <a className="button" href={orderHref}>
        Back to the order
      </a>
    </p>
  );
}

export function ApprovalOver({ orderHref }: Ending) {
  return (
    <section className="page narrow">
      <h1>Nothing to confirm here</h1>
      <p>
        The order no longer waits for this: it was changed, the time for it is over, or the link is too old.
      </p>
      <WayOn orderHref={orderHref} otherwise="Whoever sent you the link can send another." />
    </section>
  );
}

export function ApprovalDone({ orderHref, isPaid }: Ending & { isPaid: boolean }) {
  return (
    <section className="page narrow">
      <h1>Confirmed</h1>
      <p className="lead" role="status">
        {isPaid ? "Thank you. The order goes on by itself." : "Thank you. The order can now be paid for."}
      </p>
      <WayOn orderHref={orderHref} otherwise="You may close this page. We have told whoever asked you." />
    </section>
  );
}

export interface ApprovalStepsProps extends Ending {
  /** The store's name. */
  store: string;
  company: string;
  domain: string;
  proven: boolean;
  refused: string | null;
  /** The administrator's sign-in, or null where a DNS record of the domain is the proof. */
  signIn: { at: string; href: string } | null;
  record: { name: string; value: string } | null;
  /** The provider's page for accepting us as partner, or null once we are accepted. */
  partner: { href: string; inPopup: boolean } | null;
  /** The address a link was mailed to. */
  asked: string | null;
  mayAsk: boolean;
  /** The call to poll for the partner approval, or null when there is nothing to wait for or no call to poll. */
  waits: { url: string; ms: number } | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

export function ApprovalSteps(props: ApprovalStepsProps) {
  const { store, company, domain, proven, refused, signIn, record, partner, asked, mayAsk, orderHref } =
    props;
  const { waits } = props;
  return (
    <section
      className="page narrow"
      data-wait-url={waits?.url}
      data-wait-state="pending"
      data-wait-ms={waits?.ms}
    >
      <h1>
        Confirm the order for <Breakable>{domain}</Breakable>
      </h1>
      <p className="lead">
        {orderHref === null ? `${company} is ordering` : "Your order is"} for this account. Only its
        administrator can approve it.
      </p>
      <p>
        Once this is confirmed, {company} can buy for the account at {store}, and sees what is bought for it
        through us. {company} gets no access to the account's mail, files or people.
      </p>
      {refused !== null && (
        <Callout type="error">
          <p>{refused}</p>
        </Callout>
      )}
      {record === null ? (
        <ol>
          <li>
            <h2>Sign in as an administrator</h2>
            {proven ? (
              <p role="status">Done. You have shown that you administer {domain}.</p>
            ) : (
              <>
                <p>You sign in at {signIn?.at}. We never see your password.</p>
                <p>
                  <a className="button" href={signIn?.href}>
                    Sign in with {signIn?.at}
                  </a>
                </p>
              </>
            )}
          </li>
          {partner !== null && (
            <li>
              <h2>Accept {store} as your partner</h2>
              {proven ? (
                <>
                  <p>
                    {signIn?.at} shows you the request. Sign in there as the same administrator, and accept
                    it. This page moves on by itself.
                  </p>
                  <p>
                    <a
                      className="button"
                      href={partner.href}
                      {...(!partner.inPopup && { target: "_blank", rel: "noopener noreferrer" })}
                    >
                      Open the request at {signIn?.at}
                    </a>
                  </p>
                  <progress aria-label="Waiting for your approval" />
                </>
              ) : (
                <p>This comes after the sign-in.</p>
              )}
            </li>
          )}
        </ol>
      ) : (
        <DomainRecord record={record} domain={domain} lastResult={props.lastResult} />
      )}
      {mayAsk && <AskAdministrator asked={asked} domain={domain} lastResult={props.lastResult} />}
      {orderHref !== null && (
        <p>
          <a href={orderHref}>Back to the order</a>
        </p>
      )}
    </section>
  );
}

function DomainRecord({
  record,
  domain,
  lastResult,
}: {
  record: { name: string; value: string };
  domain: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const mine = lastResult?.initialValue?.intent === "look-up" ? lastResult : null;
  const [form] = useForm<{ intent: string }>({ id: "look-up", lastResult: mine });
  return (
    <form method="post" {...getFormProps(form)} noValidate>
      <h2>Add a record to the domain</h2>
      <p>
        Add this TXT record where the DNS of <Breakable>{domain}</Breakable> is managed, then come back and
        press the button. The value works for 7 days, and you can delete the record afterwards.
      </p>
      <ErrorSummary form={form} fields={[]} />
      <dl>
        <Copyable label="Name" value={record.name} />
        <Copyable label="Value" value={record.value} />
      </dl>
      <input type="hidden" name="intent" value="look-up" />
      <SubmitButton>Look for the record</SubmitButton>
    </form>
  );
}

function AskAdministrator({
  asked,
  domain,
  lastResult,
}: {
  asked: string | null;
  domain: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const mine = lastResult?.initialValue?.intent === "ask" ? lastResult : null;
  const [form, { email }] = useForm<{ intent: string; email: string }>({ id: "ask", lastResult: mine });
  return (
    <form method="post" {...getFormProps(form)} noValidate>
      <h2 id="ask-administrator">Ask your administrator</h2>
      <p>
        Somebody else administers <Breakable>{domain}</Breakable>? We will email them a link to this page.
        They won't see your order or its price. Once they confirm, your order continues automatically.
      </p>
      {asked !== null && (
        <p role="status">
          A link was emailed to <Breakable>{asked}</Breakable>. It works for 7 days.
        </p>
      )}
      <ErrorSummary form={form} fields={[email]} />
      <input type="hidden" name="intent" value="ask" />
      <Field
        field={email}
        label="Your administrator's email"
        type="email"
        autoComplete="off"
        inputMode="email"
        maxLength={200}
      />
      <SubmitButton look="quiet">{asked === null ? "Email the link" : "Email another link"}</SubmitButton>
    </form>
  );
}
