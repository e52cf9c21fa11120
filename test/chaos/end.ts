import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import { clients, grace } from './conditions.ts';
import { GaveUp, type Inquiry } from './inquiry.ts';
import { judge } from './judge/all.ts';
import { judgeUnfinished } from './judge/unfinished.ts';
import type { Place } from './place.ts';
import { readRows } from './rows.ts';
import type { Shop } from './shop.ts';
import type { Stage } from './stage.ts';
import type { Violation } from './violations.ts';

interface Options {
  readonly stage: Stage;
  readonly shop: Shop;
  readonly inquiries: readonly Inquiry[];
  readonly random: Random;
}

/** What is found when nothing fails any more: the rows after the grace, every answer once more, and all of it together. */
export const questionEverybody = async (options: Options): Promise<Violation[]> => {
  const { stage, shop, inquiries, random } = options;
  const stranded = await settled(stage.place);
  await askEveryKey(options, random);
  const ledger = await stage.provider.ledger();
  const found = judge({
    ledger,
    rows: await readRows(stage.place),
    testimonies: inquiries.map(({ question: { kind, key, path }, said }) => ({ kind, key, path, said })),
    stockBefore: stockBefore(shop, inquiries),
  });
  // What was stranded before the last questions may have been settled by them: it was stranded all the same.
  return [...stranded, ...found.filter(({ kind }) => kind !== 'stranded' || stranded.length === 0)];
};

/** Waits until the servers have settled everything by themselves. @returns what they have not, within the grace */
const settled = async (place: Place): Promise<Violation[]> => {
  const deadline = performance.now() + grace;
  for (;;) {
    const unfinished = judgeUnfinished({ rows: await readRows(place) });
    if (unfinished.length === 0 || performance.now() > deadline) return unfinished;
    await pause(500);
  }
};

/**
 * Requests that were abandoned get their response now. Those who got theirs and never asked again do so; of the others, who
 * have, one in ten.
 */
const askEveryKey = async ({ stage, inquiries }: Options, random: Random): Promise<void> => {
  const waiting = inquiries.values();
  const work = async (): Promise<void> => {
    for (const inquiry of waiting) {
      if (inquiry.said === undefined) await inquiry.untilFinal(random).catch(forgive);
      else if (!inquiry.isCompared || random.chance(0.1))
        await inquiry.attempt(stage.fleet.any(random), random);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
};

/** In thousandths. */
const stockBefore = (shop: Shop, inquiries: readonly Inquiry[]): ReadonlyMap<string, number | null> => {
  const before = new Map<string, number | null>();
  const note = (id: string, stock: number | null) => before.set(id, stock === null ? null : stock * 1_000);
  for (const { id, stock } of shop.products) note(id, stock);
  for (const { question, said } of inquiries) {
    if (question.kind === 'product' && said?.subject) note(said.subject.id, JSON.parse(question.body).stock);
  }
  return before;
};

/** Judged by the answer that is missing. */
const forgive = (error: unknown): void => {
  if (!(error instanceof GaveUp)) throw error;
};
