import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { Admission } from '#adapters/http/listener/admission.ts';
import { Refusals } from '#adapters/http/listener/refusals.ts';
import { SimulatedTime } from '../simulated-time.ts';

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
      const bounds = { mostInFlight: 1_000, storeWait: () => 0 };
      const admission = new Admission(begin, bounds, () => undefined);
      for (let count = 0; count < 500; count += 1) {
        const request = new IncomingMessage(new Socket());
        admission.letIn(request, new ServerResponse(request));
      }
      const beforeTheyCame = worked;
      const came = time.now;
      while (time.now - came < 400) {
        admission.obstacle('GET');
        time.work(0.05);
      }
      expect(worked - beforeTheyCame).to.be.within(0.7 * 400, 0.8 * 400);
    });
  });

  describe('for those who are refused', () => {
    let told: number[];

    /** So many come at once, and to tell each of them takes so long. */
    const come = (count: number, timeToTell: number): void => {
      const refusals = new Refusals();
      told = [];
      for (let place = 0; place < count; place += 1) {
        refusals.add(() => {
          told.push(place);
          time.work(timeToTell);
        });
      }
    };

    it('is a small part where there is other work, and theirs in their order', () => {
      come(500, 0.1);
      const came = time.now;
      while (time.now - came < 250) {
        time.work(10);
        time.reach(5);
      }
      expect(told).to.deep.equal(told.map((_, place) => place));
      expect(told.length * 0.1).to.be.within(0.07 * 250, 0.17 * 250);
    });

    it('is more where there is none', () => {
      come(400, 0.1);
      const came = time.now;
      while (told.length < 400) {
        time.rest(5);
        time.reach(5);
      }
      expect(time.now - came).to.be.within(100, 200);
    });

    it('is enough not to wait for much longer than half a second', () => {
      come(300, 1);
      const came = time.now;
      while (told.length < 300) {
        time.work(10);
        time.reach(5);
      }
      expect(time.now - came).to.be.within(500, 1_000);
    });
  });
});
