/** What has to be closed when the service stops, in the opposite order of its opening. */
export class Closing {
  readonly #steps: { readonly name: string; readonly close: () => Promise<unknown> }[] = [];
  #running: Promise<void> | undefined;

  add(name: string, close: () => Promise<unknown>): void {
    this.#steps.push({ name, close });
  }

  /** A step that fails does not keep the others from closing; all failures are thrown together at the end. */
  run(): Promise<void> {
    this.#running ??= this.#closeAll();
    return this.#running;
  }

  async #closeAll(): Promise<void> {
    const faults: Error[] = [];
    for (const { name, close } of this.#steps.reverse()) {
      try {
        await close();
      } catch (fault) {
        faults.push(new Error(`could not close: ${name}`, { cause: fault }));
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('; '));
  }
}
