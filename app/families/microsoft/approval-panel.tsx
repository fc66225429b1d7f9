/**
 * The wait for an administrator of the buyer's tenant. The approval page opens in a second window, while this page polls and
 * continues automatically.
 */
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { approvalWindow } from "./approval-window.ts";

export interface ApprovalPanelProps {
  username: string;
  domain: string;
  /** The administrator who received a link by email, or null while the buyer has to act. */
  requestedEmail: string | null;
  /** The day when the wait ends. */
  until: string;
  /** The approval page's address. */
  approval: string;
  waitUrl: string;
  waitMs: number;
  change: string;
}

export function ApprovalPanel({ waitUrl, waitMs, change, ...about }: ApprovalPanelProps) {
  const text = useTranslate();
  return (
    <div className="working" data-wait-url={waitUrl} data-wait-state="pending" data-wait-ms={waitMs}>
      {about.requestedEmail === null ? (
        <BuyerActs {...about} />
      ) : (
        <SomebodyElseActs {...about} requestedEmail={about.requestedEmail} />
      )}
      <PostForm>
        <input type="hidden" name="mode" value="check-again" />
        <p className="actions">
          <SubmitButton variant="quiet">{text("signIn.checkAgain")}</SubmitButton>{" "}
          <a href={change}>{text("signIn.anotherAccount")}</a>
        </p>
      </PostForm>
      <progress
        aria-label={text(
          about.requestedEmail === null ? "signIn.waitingForYou" : "signIn.waitingForAdministrator",
        )}
      />
    </div>
  );
}

type About = Pick<ApprovalPanelProps, "username" | "domain" | "until" | "approval">;

const breakable = (inner: string) => <Breakable>{inner}</Breakable>;

function BuyerActs({ username, domain, approval }: About) {
  const text = useTranslate();
  return (
    <>
      <p className="lead" role="status">
        {text("signIn.checking")}
      </p>
      <ol>
        <li>
          <a className="button" href={approval} data-popup={approvalWindow}>
            {text("signIn.openApproval")}
          </a>
        </li>
        <li>
          <Rich
            text={text("signIn.signInThere", { username })}
            parts={{ name: (inner) => <strong>{breakable(inner)}</strong> }}
          />
        </li>
        <li>{text("signIn.comeBack")}</li>
      </ol>
      <p>
        <Rich
          text={text("signIn.somebodyElse", { domain })}
          parts={{
            domain: breakable,
            link: (inner) => <a href={`${approval}#ask-administrator`}>{inner}</a>,
          }}
        />
      </p>
    </>
  );
}

function SomebodyElseActs({ requestedEmail, domain, until, approval }: About & { requestedEmail: string }) {
  const text = useTranslate();
  return (
    <>
      <p className="lead" role="status">
        <Rich text={text("signIn.asked", { email: requestedEmail })} parts={{ email: breakable }} />
      </p>
      <p>{text("signIn.needNotWait", { until })}</p>
      <p>
        <Rich
          text={text("signIn.noAnswer", { domain })}
          parts={{
            domain: breakable,
            ask: (inner) => <a href={`${approval}#ask-administrator`}>{inner}</a>,
            open: (inner) => (
              <a href={approval} data-popup={approvalWindow}>
                {inner}
              </a>
            ),
          }}
        />
      </p>
    </>
  );
}
