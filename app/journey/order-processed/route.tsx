/** Step 5, the closure page: the active purchase, and the buyer's next actions, the sign-in details first. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dismissCredentials } from "#server/accounts/credentials/credentials.ts";
import { lockOrderFor } from "#server/orders/find.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { orderParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { StepList } from "../../ui/step-list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich } from "../../ui/text.tsx";
import { openStep, requesterOf } from "../guard.ts";
import { NeedsAttention, OrderTimeline, Thanks } from "../order-progress.tsx";
import { Receipt } from "../receipt.tsx";
import { PriceBreakdown } from "../review.tsx";
import { progressOf } from "../waiting-data.ts";
import { closureOf, type ToDo } from "./closure-data.ts";

export const loader = pageLoader(orderParams, async (request, params) => {
  const order = await openStep(request, params, "order-processed");
  // An order without a sign-in step is fulfilled while this page waits.
  return (await progressOf(request, order)) ?? (await closureOf(request, order));
});

/** The buyer has confirmed twice that they noted the credentials, so these are deleted at once. */
export const action = formAction({
  params: orderParams,
  schema: emptySchema,
  handler: async (request, params) => {
    const order = await openStep(request, params, "order-processed");
    await request.context.db.transaction().execute(async (trx) => {
      const { order: locked, requester } = await lockOrderFor(trx, order.id, requesterOf(request));
      await dismissCredentials(trx, locked, requester.userId);
    });
    return redirect(stepPath(order, "order-processed"), 303);
  },
});

export default function OrderProcessed() {
  const data = useLoaderData<typeof loader>();
  if (data.view === "attention") return <NeedsAttention {...data} />;
  if (data.view === "working") return <Thanks {...data} />;
  return <Closure {...data} />;
}

type Done = Awaited<ReturnType<typeof closureOf>>;

function Closure(done: Done) {
  const { words } = done;
  // Only the next action has a filled button.
  const next = done.toDo.find(({ isDone, link }) => !isDone && link !== null);
  return (
    <>
      {done.receipt !== null && <Receipt {...done.receipt} />}
      <h1>{done.title}</h1>
      {done.ready !== null && <p className="lead">{done.ready}</p>}
      {done.changed?.map((sentence) => (
        <p key={sentence}>
          <Breakable>{sentence}</Breakable>
        </p>
      ))}
      {done.addedTo !== null && (
        <p>
          <Rich
            text={done.addedTo}
            parts={{
              account: (inner) => (
                <strong>
                  <Breakable>{inner}</Breakable>
                </strong>
              ),
            }}
          />
        </p>
      )}
      {done.moved !== null && <p>{done.moved}</p>}
      {done.notYours !== null && <p>{done.notYours}</p>}
      {done.toDo.length > 0 && (
        <section className="card">
          <h2>{words.toDo}</h2>
          <StepList
            steps={done.toDo.map((step) => ({
              title: step.title,
              state: step.isDone ? "done" : "todo",
              ...(step.isDone && { stateWord: words.done }),
              children: <Doing {...step} isNext={step === next} done={done} />,
            }))}
          />
        </section>
      )}
      <p className="actions">
        {done.getStarted !== null && (
          <>
            <a className={next === undefined ? "button" : undefined} href={done.getStarted} rel="noreferrer">
              {words.getStarted}
            </a>{" "}
          </>
        )}
        {done.links.map(({ label, href }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </p>
      {done.number !== null && (
        <p>
          <Rich text={done.number} parts={{ number: (inner) => <code className="one-line">{inner}</code> }} />
        </p>
      )}
      {done.computed !== null && <PriceBreakdown {...done.computed} />}
      {done.copies !== null && (
        <p>
          <Breakable>{done.copies}</Breakable>
        </p>
      )}
      <OrderTimeline {...done.timeline} />
      {done.addOns.map(({ says, href }) => (
        <p key={href} className="hint">
          <Rich text={says} parts={{ link: (inner) => <a href={href}>{inner}</a> }} />
        </p>
      ))}
    </>
  );
}

/** Renders an action with its instructions, menu path and link. */
function Doing({ sentences, menus, link, isSignIn, isNext, done }: ToDo & { isNext: boolean; done: Done }) {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <Breakable>{sentence}</Breakable>
        </p>
      ))}
      {isSignIn && done.credentials !== null && <SignInDetails {...done} credentials={done.credentials} />}
      {menus.length > 0 && (
        <ol className="menus" aria-label={done.words.menus} lang="en">
          {menus.map((menu) => (
            <li key={menu}>{menu}</li>
          ))}
        </ol>
      )}
      {link !== null && (
        <p>
          <a className={isNext ? "button" : undefined} href={link.href} rel="noreferrer">
            <Breakable>{link.label}</Breakable>
          </a>
        </p>
      )}
    </>
  );
}

function SignInDetails({
  credentials: { username, secret, hint },
  words,
  here,
}: Pick<Done, "words" | "here"> & { credentials: NonNullable<Done["credentials"]> }) {
  return (
    <section aria-labelledby="credentials-title">
      <h4 id="credentials-title">
        <Rich
          text={words.yourDetails}
          parts={{ line: (inner) => <span className="one-line">{inner}</span> }}
        />
      </h4>
      <dl>
        <Copyable {...username} />
        <Copyable {...secret} />
      </dl>
      <p className="hint">{hint}</p>
      <details>
        <summary>{words.haveSaved}</summary>
        <form method="post" action={here}>
          <p>{words.removeQuestion}</p>
          <SubmitButton variant="danger">{words.remove}</SubmitButton>
        </form>
      </details>
    </section>
  );
}
