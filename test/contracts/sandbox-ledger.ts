import { expect } from 'chai';
import { newId } from '../support/machine.ts';
import { atOnce, type Open, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** What `SandboxLedger` promises. */
export const describeSandboxLedger = (adapter: string, open: Open) =>
  describe(`${adapter}: the sandbox’s books`, () => {
    const store = storeFor(open);

    it('say nothing of what nobody has written down', async () => {
      expect(await store.sandboxLedger.find(newId())).to.equal(undefined);
    });

    it('say what was written down, as it was', async () => {
      const [one, other] = [newId(), newId()];
      const text = '{"declined":{"code":"card_declined","message":"Die Karte wurde „abgelehnt“ 💳"}}';
      expect(await store.sandboxLedger.keep(one, text)).to.equal(text);
      expect(await store.sandboxLedger.keep(other, '')).to.equal('');
      expect(await store.sandboxLedger.find(one)).to.equal(text);
      expect(await store.sandboxLedger.find(other)).to.equal('');
    });

    it('keep what was there first, and say so to whoever comes later', async () => {
      const id = newId();
      await store.sandboxLedger.keep(id, 'first');
      expect(await store.sandboxLedger.keep(id, 'second')).to.equal('first');
      expect(await store.sandboxLedger.find(id)).to.equal('first');
    });

    it('have one verdict for all of twenty who write at once', async () => {
      const id = newId();
      const said = await Promise.all(atOnce(20, (index) => store.sandboxLedger.keep(id, `${index}`)));
      expect(new Set(said).size).to.equal(1);
      expect(await store.sandboxLedger.find(id)).to.equal(said[0]);
    });

    it('are written while units of work go on, and are no part of one', async () => {
      const [id, name] = [newId(), newId()];
      const work = atOnce(20, () =>
        store.unitOfWork.run(({ leases: duties }) =>
          duties.acquire({ name, holder: 'Ada', expiresAt: later(1) }, noon, later(2)),
        ),
      );
      const said = await Promise.all(atOnce(20, () => store.sandboxLedger.keep(id, 'charged')));
      expect(new Set(said)).to.deep.equal(new Set(['charged']));
      expect(new Set(await Promise.all(work))).to.deep.equal(new Set([true]));
    });
  });
