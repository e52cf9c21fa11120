/** What servers and provider have to bear, until it clears up. */
export class NetworkFaults {
  readonly #usual: { readonly trouble: number; readonly stalls: number };
  #isClear = false;
  /** During an outage the provider responds to no request, although it may carry it out. */
  isOutage = false;

  constructor(usual: { readonly trouble: number; readonly stalls: number }) {
    this.#usual = usual;
  }

  /** How likely it is that something goes wrong with a request to the provider. */
  get trouble(): number {
    if (this.#isClear) return 0;
    return this.isOutage ? 1 : this.#usual.trouble;
  }

  /** How likely it is, whenever a server could go on, that it stops for a while. */
  get stalls(): number {
    return this.#isClear ? 0 : this.#usual.stalls;
  }

  get isClear(): boolean {
    return this.#isClear;
  }

  clearUp(): void {
    this.#isClear = true;
  }
}
