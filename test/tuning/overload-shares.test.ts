import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { AdmissionControl } from '#adapters/http/server/overload/admission-control.ts';
import { LoadShedder } from '#adapters/http/server/overload/load-shedder.ts';
import { SimulatedTime } from '../support/simulated-time.ts';

describe('The time of a server that has too much to do', () => {
  let time: SimulatedTime;

  beforeEach(() => {
    time = new SimulatedTime();
  });

  afterEach(() => time.end());

  describe('for those who have been let in', () => {
    it('is most of it while thousands come behind them', () => {
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
      const beforeTheyCame = worked;
      const came = time.now;
      while (time.now - came < 400) {
        admission.check('GET');
        time.work(0.05);
      }
      expect(worked - beforeTheyCame).to.be.within(0.7 * 400, 0.8 * 400);
    });
  });

  describe('for those who are refused', () => {
    let refusals: LoadShedder;
    let told: number[];

    /** To tell each of them takes so long. */
    const come = (count: number, timeToTell: number, then: () => void = () => undefined): void => {
      for (let place = 0; place < count; place += 1) {
        refusals.add(() => {
          told.push(place);
          time.work(timeToTell);
          then();
        });
      }
    };

    /** There is other work all the time. @returns which part of so many milliseconds it took to tell them, at 0.1 each */
    const partIn = (milliseconds: number): number => {
      const before = told.length;
      const begun = time.now;
      while (time.now - begun < milliseconds) {
        time.work(10);
        time.reach(5);
      }
      return ((told.length - before) * 0.1) / (time.now - begun);
    };

    beforeEach(() => {
      refusals = new LoadShedder();
      told = [];
    });

    it('is a small part where there is other work, and theirs in their order', () => {
      come(2_000, 0.1);
      partIn(50);
      expect(partIn(200)).to.be.within(0.14, 0.22);
      expect(told).to.deep.equal(told.map((_, place) => place));
    });

    it('is a smaller one where they come back at once and are late all the same, until that is tried again', () => {
      const comeBack = (): void => come(1, 0.1, comeBack);
      come(200, 0.1, comeBack);
      partIn(100);
      expect(partIn(600)).to.be.within(0.14, 0.19);
      partIn(200);
      expect(partIn(3_000)).to.be.within(0.06, 0.09);
      partIn(200);
      expect(partIn(600)).to.be.within(0.14, 0.19);
    });

    it('is not lost where nobody needed it for a while', () => {
      partIn(100);
      come(80, 0.1);
      partIn(10);
      expect(told).to.have.length(80);
    });

    it('is more where there is none', () => {
      come(1_000, 0.1);
      const came = time.now;
      while (told.length < 1_000) {
        time.rest(5);
        time.reach(5);
      }
      expect(time.now - came).to.be.within(150, 300);
    });

    it('is enough not to wait for much longer than a third of a second', () => {
      come(3_000, 0.1);
      const came = time.now;
      while (told.length < 3_000) {
        time.work(10);
        time.reach(5);
      }
      expect(time.now - came).to.be.within(300, 800);
    });
  });
});
