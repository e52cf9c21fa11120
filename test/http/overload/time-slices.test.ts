import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { admissionControl } from '#adapters/http/server/overload/admission-control.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('Admission control in one turn of the event loop', () => {
  let time: SimulatedTime;
  let started: number;
  let admission: ReturnType<typeof admissionControl>;
  beforeEach(() => {
    time = new SimulatedTime();
    started = 0;
    const start = (): void => {
      started += 1;
      time.work(1);
    };
    admission = admissionControl(start, { maxInFlight: 1_000, storeDelay: () => 0 }, () => undefined);
  });
  afterEach(() => time.end());

  /** Requests that each take a millisecond once they are started. */
  const admit = (count: number): void => {
    for (let place = 0; place < count; place += 1)
      admission.admit(
        new ServerResponse(Object.assign(new IncomingMessage(new Socket()), { method: 'GET' })),
      );
  };

  it('starts requests for eight milliseconds, also those that wait from the turn before', async () => {
    admit(30);
    for (const expected of [8, 16, 24, 30]) {
      expect(started).to.equal(expected);
      await endOfTurn();
    }
  });

  it('starts requests for two milliseconds while it accepts connections, and for eight again in the next turn', async () => {
    admission.connected();
    admit(20);
    expect(started).to.equal(2);
    await endOfTurn();
    expect(started).to.equal(10);
  });

  it('starts a queued request with each one that it reads after twenty milliseconds of reading', async () => {
    // Read in a turn before, which does not count.
    admission.check('GET');
    time.rest(1_000);
    admit(20);
    expect(started).to.equal(8);
    const read = (milliseconds: number): number => {
      time.work(milliseconds);
      admission.check('GET');
      return started;
    };
    expect([read(0), read(20), read(1), read(0), read(0)]).to.deep.equal([8, 8, 9, 10, 11]);
  });
});
