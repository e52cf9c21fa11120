import { readFileSync } from 'node:fs';

const guide = new URL('../../../docs/guides/take-real-cards.md', import.meta.url);

/** A test card of Stripe, as the guide lists it. */
export interface TestCard {
  /** As it is printed on a card, in groups of four digits. */
  readonly number: string;
  /** The id that stands for it in the API. */
  readonly method: string;
  /** What the guide says of it, in Markdown. */
  readonly says: string;
}

/** The test cards in the guide's table. */
export const testCards: readonly TestCard[] = [
  ...readFileSync(guide, 'utf8').matchAll(/^\| (\d{4}(?: \d{4}){3}) \| `(pm_\w+)` \| (.+) \|$/gm),
].map(([, number = '', method = '', says = '']) => ({ number, method, says }));

/** The card of the guide that Stripe.js confirms without a dialog. Stripe has no id for it. */
export const frictionlessCard = '4000 0000 3220 0000';
