/** The dialog about an address that the vendor would write differently: one of its suggestions, or the address as typed. */

import { Choice, type ChoiceLabels } from "../../forms/choice.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { InitiallyOpenDialog } from "../../ui/dialog.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export interface SuggestionDialogProps {
  /** The form, for typing another address. */
  leave: string;
  /** The places, each with its posted value; the last is the address as typed. */
  places: ChoiceLabels[];
}

export function SuggestionDialog({ leave, places }: SuggestionDialogProps) {
  const text = useTranslate();
  return (
    <InitiallyOpenDialog id="suggestion" title={text("createAccount.suggestionTitle")} leave={leave}>
      <PostForm>
        <input type="hidden" name="intent" value="use-address" />
        {places.map((words, index) => (
          <Choice key={words.value} {...words} name="place" required defaultChecked={index === 0} />
        ))}
        <p className="actions">
          <SubmitButton>{text("createAccount.useAddress")}</SubmitButton>{" "}
          <a href={leave}>{text("createAccount.changeIt")}</a>
        </p>
      </PostForm>
    </InitiallyOpenDialog>
  );
}
