/**
 * A look-up begun when somebody has stopped typing. It is forgotten when its field changes, and when the form is sent: what is
 * wrong then is the server's to say, once and beside the field.
 */
export class PendingCheck {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begun = 0;

  /** @param work is told by `isCurrent` whether what it found is still asked for */
  begin(afterMs: number, work: (isCurrent: () => boolean) => Promise<void>): void {
    this.forget();
    const mine = this.#begun;
    this.#timer = setTimeout(() => {
      void work(() => mine === this.#begun);
    }, afterMs);
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#begun += 1;
  }
}

/** What each look-up of a domain says in the same words. */
export const available = "Domain available!";
export const notChecked = "an error occurred while validating the domain";
