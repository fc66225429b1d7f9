/** The approval page: its steps, each done or open, and its final states. Plain forms and links. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ConfirmEmail } from "../account/confirm-email.tsx";

interface Ending {
  /** The order's own page, or null for the holder of a mailed link. */
  orderHref: string | null;
}

/** A link back to the order, for visitors who may open it. */
function WayOn({ orderHref, otherwise }: Ending & { otherwise: string }) {
  const text = useTranslate();
  if (orderHref === null) return <p>{otherwise}</p>;
  return (
    <p>
      <a className="button" href={orderHref}>
        {text("approval.back")}
      </a>
    </p>
  );
}

export function ApprovalClosed({ orderHref }: Ending) {
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{text("approval.over")}</h1>
      <p>{text("approval.overWhy")}</p>
      <WayOn orderHref={orderHref} otherwise={text("approval.anotherLink")} />
    </section>
  );
}

export function ApprovalDone({ orderHref, isPaid }: Ending & { isPaid: boolean }) {
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{text("approval.done")}</h1>
      <p className="lead" role="status">
        {text(isPaid ? "approval.goesOn" : "approval.canBePaid")}
      </p>
      <WayOn orderHref={orderHref} otherwise={text("approval.mayClose")} />
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
  requestedEmail: string | null;
  mayAsk: boolean;
  /** The buyer's email to confirm before they may ask; null when nothing is missing. */
  confirm: { email: string } | null;
  /** The call to poll for the partner approval, or null when there is nothing to wait for or no call to poll. */
  waits: { url: string; ms: number } | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

const breakable = (inner: string) => <Breakable>{inner}</Breakable>;

export function ApprovalSteps(props: ApprovalStepsProps) {
  const {
    store,
    company,
    domain,
    proven,
    refused,
    signIn,
    record,
    partner,
    requestedEmail,
    mayAsk,
    confirm,
    orderHref,
  } = props;
  const { waits } = props;
  const text = useTranslate();
  const place = signIn?.at ?? "";
  return (
    <section
      className="page narrow"
      data-wait-url={waits?.url}
      data-wait-state="pending"
      data-wait-ms={waits?.ms}
    >
      <h1>
        <Rich text={text("approval.heading", { domain })} parts={{ domain: breakable }} />
      </h1>
      <p className="lead">
        {orderHref === null ? text("approval.theirs", { company }) : text("approval.yours")}
      </p>
      <p>{text("approval.allows", { company, store })}</p>
      {refused !== null && (
        <Callout type="error">
          <p>{refused}</p>
        </Callout>
      )}
      {record === null ? (
        <ol>
          <li>
            <h2>{text("approval.signIn")}</h2>
            {proven ? (
              <p role="status">{text("approval.proven", { domain })}</p>
            ) : (
              <>
                <p>{text("approval.signInAt", { place })}</p>
                <p>
                  <a className="button" href={signIn?.href}>
                    {text("approval.signInWith", { place })}
                  </a>
                </p>
              </>
            )}
          </li>
          {partner !== null && (
            <li>
              <h2>{text("approval.partner", { store })}</h2>
              {proven ? (
                <>
                  <p>{text("approval.partnerHow", { place })}</p>
                  <p>
                    <a
                      className="button"
                      href={partner.href}
                      {...(!partner.inPopup && { target: "_blank", rel: "noopener noreferrer" })}
                    >
                      {text("approval.openRequest", { place })}
                    </a>
                  </p>
                  <progress aria-label={text("approval.waiting")} />
                </>
              ) : (
                <p>{text("approval.afterSignIn")}</p>
              )}
            </li>
          )}
        </ol>
      ) : (
        <DomainRecord record={record} domain={domain} lastResult={props.lastResult} />
      )}
      {confirm !== null && <ConfirmEmail {...confirm}>{text("approval.confirmToAsk")}</ConfirmEmail>}
      {mayAsk && (
        <AskAdministrator requestedEmail={requestedEmail} domain={domain} lastResult={props.lastResult} />
      )}
      {orderHref !== null && (
        <p>
          <a href={orderHref}>{text("approval.back")}</a>
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
  const text = useTranslate();
  const mine = lastResult?.initialValue?.intent === "look-up" ? lastResult : null;
  const [form] = useForm<{ intent: string }>({ id: "look-up", lastResult: mine });
  return (
    <form method="post" {...getFormProps(form)} noValidate>
      <h2>{text("approval.record")}</h2>
      <p>
        <Rich text={text("approval.recordHow", { domain })} parts={{ domain: breakable }} />
      </p>
      <ErrorSummary form={form} fields={[]} />
      <dl>
        <Copyable label={text("approval.recordName")} value={record.name} />
        <Copyable label={text("approval.recordValue")} value={record.value} />
      </dl>
      <input type="hidden" name="intent" value="look-up" />
      <SubmitButton>{text("approval.lookUp")}</SubmitButton>
    </form>
  );
}

function AskAdministrator({
  requestedEmail,
  domain,
  lastResult,
}: {
  requestedEmail: string | null;
  domain: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const text = useTranslate();
  const mine = lastResult?.initialValue?.intent === "ask" ? lastResult : null;
  const [form, { email }] = useForm<{ intent: string; email: string }>({ id: "ask", lastResult: mine });
  return (
    <form method="post" {...getFormProps(form)} noValidate>
      <h2 id="ask-administrator">{text("approval.ask")}</h2>
      <p>
        <Rich text={text("approval.askHow", { domain })} parts={{ domain: breakable }} />
      </p>
      {requestedEmail !== null && (
        <p role="status">
          <Rich text={text("approval.asked", { email: requestedEmail })} parts={{ email: breakable }} />
        </p>
      )}
      <ErrorSummary form={form} fields={[email]} />
      <input type="hidden" name="intent" value="ask" />
      <Field
        field={email}
        label={text("approval.email")}
        type="email"
        autoComplete="off"
        inputMode="email"
        maxLength={200}
      />
      <SubmitButton variant="quiet">
        {text(requestedEmail === null ? "approval.mailLink" : "approval.mailAnother")}
      </SubmitButton>
    </form>
  );
}
