import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { admissionControl } from '#adapters/http/server/overload/admission-control.ts';
import { rejectionPacer } from '#adapters/http/server/overload/rejection-pacer.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { SimulatedTime } from '../support/simulated-time.ts';

describe('The time of an overloaded server', () => {
  const time = ofEachTest(() => new SimulatedTime());

  describe('for admitted requests', () => {
    it('is most of it while thousands of requests arrive in one turn', () => {
      let worked = 0;
      const begin = (): void => {
        worked += 0.2;
        time.work(0.2);
      };
      const limits = { maxInFlight: 5_000, storeDelay: () => 0 };
      const admission = admissionControl(begin, limits, () => undefined);
      for (let count = 0; count < 5_000; count += 1) {
        admission.admit(new ServerResponse(new IncomingMessage(new Socket())));
      }
      const arrived = time.now;
      while (time.now - arrived < 400) {
        admission.check('GET');
        time.work(0.05);
      }
      expect(worked).to.be.within(0.7 * 400, 0.8 * 400);
    });
  });

  describe('for rejections', () => {
    let pace: (send: () => void) => void;
    let sent: number[];

    /** Adds rejections that each take 0.1 ms to send. */
    const addRejections = (count: number, then: () => void = () => undefined): void => {
      for (let place = 0; place < count; place += 1) {
        pace(() => {
          sent.push(place);
          time.work(0.1);
          then();
        });
      }
    };

    /** Runs other work all the time. @returns the fraction of the time that rejections took */
    const shareIn = (milliseconds: number): number => {
      const before = sent.length;
      const begun = time.now;
      while (time.now - begun < milliseconds) {
        time.work(10);
        time.reach(5);
      }
      return ((sent.length - before) * 0.1) / (time.now - begun);
    };

    beforeEach(() => {
      pace = rejectionPacer();
      sent = [];
    });

    it('is a small share, and rejections keep their order', () => {
      addRejections(2_000);
      shareIn(100);
      expect(shareIn(300)).to.be.within(0.13, 0.17);
      expect(sent).to.deep.equal(sent.map((_, place) => place));
    });

    it('stays a small share while each client retries at once (retry storm)', () => {
      const retry = (): void => addRejections(1, retry);
      addRejections(300, retry);
      shareIn(100);
      expect(shareIn(3_000)).to.be.within(0.1, 0.17);
    });

    it('is saved up to a limit while there are no rejections', () => {
      shareIn(200);
      addRejections(300);
      shareIn(10);
      expect(sent, 'ten milliseconds').to.have.length.within(95, 105);
    });

    it('is enough to reject within about half a second', () => {
      addRejections(3_000);
      const arrived = time.now;
      while (sent.length < 3_000) {
        time.work(10);
        time.reach(5);
      }
      expect(time.now - arrived).to.be.within(500, 900);
    });
  });
});
