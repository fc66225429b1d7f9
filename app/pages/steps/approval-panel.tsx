/** Waiting for an administrator of the buyer's tenant: the approval page opens beside this one, which watches and moves on by itself. */
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { approvalWindow } from "./approval-window.ts";

/** The specification's words. */
export const timedOutMessage =
  "We did not receive a Microsoft partner relationship approval for this username's account. If you have an account, please try again below and retype your current account's username. If you do not have an account, please select \"I do not have a Microsoft 365 account\" to create an account";

export interface ApprovalPanelProps {
  username: string;
  domain: string;
  /** The approval page. */
  approval: string;
  waitUrl: string;
  waitMs: number;
  change: string;
}

export function ApprovalPanel({ username, domain, approval, waitUrl, waitMs, change }: ApprovalPanelProps) {
  return (
    <div className="working" data-wait-url={waitUrl} data-wait-state="pending" data-wait-ms={waitMs}>
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
      <PostForm>
        <input type="hidden" name="mode" value="check-again" />
        <p className="actions">
          <SubmitButton look="quiet">Check again</SubmitButton> <a href={change}>Use another account</a>
        </p>
      </PostForm>
      <progress aria-label="Waiting for your approval" />
    </div>
  );
}
