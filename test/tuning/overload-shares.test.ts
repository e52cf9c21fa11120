import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { AdmissionControl } from '#adapters/http/server/overload/admission-control.ts';
import { LoadShedder } from '#adapters/http/server/overload/load-shedder.ts';
import { SimulatedTime } from '../support/simulated-time.ts';

describe('The CPU time of an overloaded server', () => {
  let time: SimulatedTime;

  beforeEach(() => {
    time = new SimulatedTime();
  });

  afterEach(() => time.end());

  describe('for admitted requests', () => {
    it('is most of it while thousands of requests arrive (fair share)', () => {
      let worked = 0;
      const begin = (): void => {
        worked += 2;
        time.work(2);
      };
      const limits = { maxInFlight: 1_000, storeDelay: () => 0 };
      const admission = new AdmissionControl(begin, limits, () => undefined);
      for (let count = 0; count < 500; count += 1) {
        const request = new IncomingMessage(new Socket());
        admission.admit(request, new ServerResponse(request));
      }
      const before = worked;
      const arrived = time.now;
      while (time.now - arrived < 400) {
        admission.check('GET');
        time.work(0.05);
      }
      expect(worked - before).to.be.within(0.7 * 400, 0.8 * 400);
    });
  });

  describe('for rejections (load shedding)', () => {
    let loadShedder: LoadShedder;
    let sent: number[];

    /** Adds rejections that each take this long to send. */
    const addRejections = (count: number, cost: number, then: () => void = () => undefined): void => {
      for (let place = 0; place < count; place += 1) {
        loadShedder.add(() => {
          sent.push(place);
          time.work(cost);
          then();
        });
      }
    };

    /** Runs other work all the time. @returns the fraction of the time that rejections took, at 0.1 ms each */
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
      loadShedder = new LoadShedder();
      sent = [];
    });

    it('is a small share while there is other work, and rejections keep their order', () => {
      addRejections(2_000, 0.1);
      shareIn(50);
      expect(shareIn(200)).to.be.within(0.14, 0.22);
      expect(sent).to.deep.equal(sent.map((_, place) => place));
    });

    it('is a smaller share while clients retry at once and rejections stay late, until the full share is tried again', () => {
      const retry = (): void => addRejections(1, 0.1, retry);
      addRejections(200, 0.1, retry);
      shareIn(100);
      expect(shareIn(600)).to.be.within(0.14, 0.19);
      shareIn(200);
      expect(shareIn(3_000)).to.be.within(0.06, 0.09);
      shareIn(200);
      expect(shareIn(600)).to.be.within(0.14, 0.19);
    });

    it('is saved up to a limit while there are no rejections', () => {
      shareIn(100);
      addRejections(80, 0.1);
      shareIn(10);
      expect(sent).to.have.length(80);
    });

    it('is larger while the event loop is idle', () => {
      addRejections(1_000, 0.1);
      const arrived = time.now;
      while (sent.length < 1_000) {
        time.rest(5);
        time.reach(5);
      }
      expect(time.now - arrived).to.be.within(150, 300);
    });

    it('is enough to reject within about a third of a second', () => {
      addRejections(3_000, 0.1);
      const arrived = time.now;
      while (sent.length < 3_000) {
        time.work(10);
        time.reach(5);
      }
      expect(time.now - arrived).to.be.within(300, 800);
    });
  });
});
