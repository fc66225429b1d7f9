/**
 * The wait for an administrator of the buyer's tenant. The approval page opens in a second window, while this page polls and
 * moves on by itself.
 */
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { approvalWindow } from "./approval-window.ts";

/** The specification's wording. */
export const timedOutMessage =
  "We did not receive a Microsoft partner relationship approval for this username's account. If you have an account, please try again below and retype your current account's username. If you do not have an account, please select \"I do not have a Microsoft 365 account\" to create an account";

export interface ApprovalPanelProps {
  username: string;
  domain: string;
  /** The administrator to whom a link was mailed, or null while the buyer has to act. */
  asked: string | null;
  /** The day when the wait ends. */
  until: string;
  /** The approval page's address. */
  approval: string;
  waitUrl: string;
  waitMs: number;
  change: string;
}

export function ApprovalPanel({ waitUrl, waitMs, change, ...about }: ApprovalPanelProps) {
  return (
    <div className="working" data-wait-url={waitUrl} data-wait-state="pending" data-wait-ms={waitMs}>
      {about.asked === null ? <BuyerActs {...about} /> : <SomebodyElseActs {...about} asked={about.asked} />}
      <PostForm>
        <input type="hidden" name="mode" value="check-again" />
        <p className="actions">
          <SubmitButton look="quiet">Check again</SubmitButton> <a href={change}>Use another account</a>
        </p>
      </PostForm>
      <progress
        aria-label={about.asked === null ? "Waiting for your approval" : "Waiting for your administrator"}
      />
    </div>
  );
}

type About = Pick<ApprovalPanelProps, "username" | "domain" | "until" | "approval">;

function BuyerActs({ username, domain, approval }: About) {
  return (
    <>
      <p className="lead" role="status">
        We are checking if you approved the Microsoft partner relationship request. This will take a minute
      </p>
      <ol>
        <li>
          <a className="button" href={approval} data-popup={approvalWindow}>
            Open the approval page
          </a>
        </li>
        <li>
          Sign in there as{" "}
          <strong>
            <Breakable>{username}</Breakable>
          </strong>
          , an administrator, and accept us as your partner.
        </li>
        <li>Come back here. This page moves on by itself within ten minutes.</li>
      </ol>
      <p>
        Somebody else administers <Breakable>{domain}</Breakable>?{" "}
        <a href={`${approval}#ask-administrator`}>Ask your administrator</a>
      </p>
    </>
  );
}

function SomebodyElseActs({ asked, domain, until, approval }: About & { asked: string }) {
  return (
    <>
      <p className="lead" role="status">
        We have emailed a link to <Breakable>{asked}</Breakable>. Your order waits until they have confirmed
        it, and then goes on by itself.
      </p>
      <p>You don't need to wait here: we will email you when it is done. The link works until {until}.</p>
      <p>
        No answer? <a href={`${approval}#ask-administrator`}>Email another link</a>, or if you administer{" "}
        <Breakable>{domain}</Breakable> yourself,{" "}
        <a href={approval} data-popup={approvalWindow}>
          open the approval page
        </a>
        .
      </p>
    </>
  );
}
