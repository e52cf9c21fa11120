import { expect } from 'chai';
import { newId } from '../support/machine.ts';
import { atOnce, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';
import { alike } from './texts.ts';

/** The contract of `SandboxLedger`. */
export const describeSandboxLedger: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the ledger of the sandbox`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    it('has no verdict that was not kept', async () => {
      expect(await store.sandboxLedger.find(newId())).to.equal(undefined);
    });

    it('returns a verdict as it was kept', async () => {
      const [one, other] = [newId(), newId()];
      const text = '{"declined":{"code":"card_declined","message":"Die Karte wurde „abgelehnt“ 💳"}}';
      expect(await store.sandboxLedger.keep(one, text)).to.equal(text);
      expect(await store.sandboxLedger.keep(other, '')).to.equal('');
      expect(await store.sandboxLedger.find(one)).to.equal(text);
      expect(await store.sandboxLedger.find(other)).to.equal('');
    });

    it('keeps the first verdict, and returns it to later calls', async () => {
      const id = newId();
      await store.sandboxLedger.keep(id, 'first');
      expect(await store.sandboxLedger.keep(id, 'second')).to.equal('first');
      expect(await store.sandboxLedger.find(id)).to.equal('first');
    });

    it('keeps one verdict of twenty that are kept at once', async () => {
      const id = newId();
      const said = await Promise.all(atOnce(20, (index) => store.sandboxLedger.keep(id, `${index}`)));
      expect(new Set(said).size).to.equal(1);
      expect(await store.sandboxLedger.find(id)).to.equal(said[0]);
    });

    it('compares ids code point by code point', async () => {
      const own = newId();
      const ids = alike.map((text) => `${text} ${own}`);
      await Promise.all(ids.map((id, index) => store.sandboxLedger.keep(id, `${index}`)));
      const kept = await Promise.all(ids.map((id) => store.sandboxLedger.find(id)));
      expect(kept).to.deep.equal(ids.map((_, index) => `${index}`));
    });

    it('is written while units of work go on, and is part of none', async () => {
      const [id, name] = [newId(), newId()];
      const work = atOnce(20, () =>
        store.unitOfWork.run(({ leases: duties }) =>
          duties.acquire({ name, holder: 'Ada', expiresAt: later(1) }, noon),
        ),
      );
      const said = await Promise.all(atOnce(20, () => store.sandboxLedger.keep(id, 'charged')));
      expect(new Set(said)).to.deep.equal(new Set(['charged']));
      expect(new Set(await Promise.all(work))).to.deep.equal(new Set([true]));
      // What is kept while a unit of work has changed something stays although that fails.
      const charge = newId();
      let keeping: Promise<string> | undefined;
      const failing = store.unitOfWork.run(async ({ leases }) => {
        await leases.acquire({ name, holder: 'Grace', expiresAt: later(2) }, later(1));
        keeping ??= store.sandboxLedger.keep(charge, 'declined');
        throw new RangeError('changed my mind');
      });
      expect(await rejectionOf(failing)).to.be.instanceOf(RangeError);
      await keeping;
      expect(await store.sandboxLedger.find(charge)).to.equal('declined');
    });
  });
