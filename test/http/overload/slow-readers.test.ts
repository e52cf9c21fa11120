import { once } from 'node:events';
import { expect } from 'chai';
import { ofEachTest } from '../../support/of-each-test.ts';
import { LimitedServer } from '../support/limited-server.ts';
import { requestText, type Wire } from '../support/wire.ts';

describe('A client that does not read its responses (slow reader)', () => {
  const server = ofEachTest(() => new LimitedServer());

  const open = async (): Promise<Wire> => (await server.open()).pause();
  const expectServed = async (): Promise<void> => {
    const wire = await server.open();
    expect((await wire.write(requestText('GET /short')).answer()).status).to.equal(200);
    wire.destroy();
  };

  for (const isSecure of [false, true])
    it(`does not hold a place among the requests in flight, and is disconnected after thirty seconds, over HTTP${isSecure ? 'S' : ''}`, async () => {
      await server.start({ isSecure });
      for (let count = 1; count <= 20; count += 1) {
        (await open()).write(requestText('GET /large'));
        await server.time.until(
          async () => server.large.length,
          (length) => length === count,
        );
      }
      await expectServed();
      const closed = Promise.all(server.large.map((response) => once(response, 'close')));
      const [, milliseconds] = await server.time.during(closed, 50);
      expect(milliseconds).to.be.within(28_000, 32_000);
      expect(server.large.some(({ writableFinished }) => writableFinished)).to.equal(false);
      await expectServed();
    });

  it('is disconnected when it has got only rejections', async () => {
    await server.start({ maxInFlight: 0 });
    const slowReader = await open();
    slowReader.write(requestText('GET /short').repeat(100_000));
    // A connection on which nothing is read notices its end when it sends.
    const sending = setInterval(() => slowReader.write(requestText('GET /short')), 1_000);
    await server.time.during(slowReader.gone());
    clearInterval(sending);
  });
});
