import { expect } from 'chai';
import { entriesOf } from '#adapters/payment/sandbox/ledger.ts';
import { sandboxEvents } from '#adapters/payment/sandbox/provider-events.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { Instant } from '#domain/instant.ts';
import { atOnce } from '../../../contracts/harness.ts';
import { noon } from '../../../contracts/samples.ts';
import { ofEachTest } from '../../../support/of-each-test.ts';
import { Random } from '../../../support/random.ts';
import { openBank } from './bank.ts';

const second = 1_000;

describe('The events of the sandbox', () => {
  const bank = ofEachTest(openBank);
  const placesSince = async (time: Instant, { lifecycle } = bank.processOf()) =>
    (await lifecycle.listProviderEvents(time)).events.map(({ kind, reference }) => `${kind} ${reference}`);

  it('name nothing before something happens, and nothing that succeeds at once', async () => {
    const start = bank.now();
    await bank.begin('tok_ok');
    await bank.begin('tok_action_never');
    await bank.begin('tok_action');
    expect(await bank.lifecycle.listProviderEvents(start)).to.deep.equal({ events: [], newest: null });
  });

  it('name each place at its time, with an id that stays', async () => {
    const start = bank.now();
    const action = await bank.begin('tok_action');
    const dispute = await bank.begin('tok_dispute');
    bank.advance(2 * second);
    expect(await placesSince(start)).to.deep.equal([`charge ${action.reference}`]);
    bank.advance(8 * second);
    const { events, newest } = await bank.lifecycle.listProviderEvents(start);
    expect(newest).to.equal(bank.now());
    expect(events.map(({ kind }) => kind).sort()).to.deep.equal(['charge', 'dispute', 'dispute']);
    expect(new Set(events.map(({ eventId }) => eventId)).size).to.equal(3);
    expect(await bank.processOf().lifecycle.listProviderEvents(start)).to.deep.equal({ events, newest });
    const lost = Instant.plus(start, 10 * second);
    expect(await placesSince(lost)).to.deep.equal([`dispute ${dispute.reference}_dispute`]);
    expect(await placesSince(Instant.plus(lost, 1))).to.deep.equal([]);
  });

  it('name refunds that wait, fail late or are made by the provider', async () => {
    const start = bank.now();
    const expected: string[] = [];
    for (const method of ['tok_refund_pending', 'tok_refund_fails_late']) {
      const { refundId } = await bank.refundPart((await bank.begin(method)).reference);
      expected.push(`refund sandbox_${refundId}`);
    }
    expected.push(`refund ${(await bank.begin('tok_refunded_outside')).reference}_refund`);
    bank.advance(5 * second);
    expect((await placesSince(start)).sort()).to.deep.equal(expected.sort());
  });

  it('lose none that processes announce at once', async () => {
    const start = bank.now();
    const charges = await Promise.all(
      atOnce(20, async () => {
        const charge = await bank.begin('tok_processing');
        await bank.processOf().charge(charge);
        return `charge ${charge.reference}`;
      }),
    );
    bank.advance(5 * second);
    expect(new Set(await placesSince(start))).to.deep.equal(new Set(charges));
  });

  it('leave no gap, in whatever order the ledger answers one process', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = new Random(seed);
      const { sandboxLedger: ledger } = await openMemory();
      const late = async <T>(answer: Promise<T>): Promise<T> => {
        for (let turns = random.below(6); turns > 0; turns -= 1) await endOfTurn();
        return answer;
      };
      const events = sandboxEvents({
        clock: { now: () => noon },
        entries: entriesOf({
          find: (key) => late(ledger.find(key)),
          keep: (key, value) => late(ledger.keep(key, value)),
        }),
      });
      const scenario = { aftermath: 'refunded' } as const;
      let begun = 0;
      await Promise.all(
        atOnce(6, async () => {
          while (begun < 40) {
            begun += 1;
            await events.ofCharge(`payment_${begun}`, { at: noon, scenario });
          }
        }),
      );
      const found = await events.since(Instant.plus(noon, -3_600 * second));
      expect(found.events, 'nothing has happened yet').to.deep.equal([]);
      const kept = await Promise.all(
        Array.from({ length: 41 }, (_, index) => ledger.find(`news/${index + 1}`)),
      );
      expect(kept.indexOf(undefined), `seed ${seed}`).to.equal(40);
    }
  });

  it('are found behind any number of earlier ones', async () => {
    for (let index = 0; index < 70; index += 1) {
      await bank.begin('tok_action');
      bank.advance(120 * second);
    }
    const start = bank.now();
    const { reference } = await bank.begin('tok_action');
    bank.advance(2 * second);
    expect(await placesSince(start)).to.deep.equal([`charge ${reference}`]);
    expect(await placesSince(start, bank)).to.deep.equal([`charge ${reference}`]);
  });
});
