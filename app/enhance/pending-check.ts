/**
 * A debounced look-up. Editing the field or sending the form cancels it: after that the server reports problems, once and at the
 * field.
 */
export class PendingCheck {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begun = 0;

  /** @param work can ask `isCurrent` whether its result is still wanted */
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
