import { expect } from 'chai';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { serviceSuite } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';
import { observed, untilWaiting } from '../support/waiting.ts';

export const describeWaitForFeed = serviceSuite('A request that waits for the feed', observed, (service) => {
  /** A reader behind the event of a new product: a store may show events a moment after their commit. */
  const readerBehindAll = async (staff: Client): Promise<(prefer: string) => Promise<ApiResponse>> => {
    const { id } = await newProduct(service);
    for (let link = '/v1/events'; ; ) {
      const { body } = await staff.get(link, { Prefer: 'wait=5' });
      link = body.links.resume;
      if (body.data.some(({ subject }: Json) => subject.id === id))
        return (prefer) => staff.get(link, { Prefer: prefer });
    }
  };

  it('gets an event once it is visible, long before its time has passed', async () => {
    const staff = await service.person('staff');
    const read = await readerBehindAll(staff);
    const waiting = read('wait=30');
    await untilWaiting(service, 1);
    const product = await newProduct(service);
    const { body, headers } = await waiting;
    expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([product.id]);
    expect(headers.get('Preference-Applied')).to.equal('wait=30');
    expect(headers.get('Vary')).to.equal('Prefer');
  });

  it('gets an event that has come between the read and the wait', async () => {
    const staff = await service.person('staff');
    for (const round of [1, 2, 3, 4, 5]) {
      const read = await readerBehindAll(staff);
      const [waited, product] = await Promise.all([read('wait=5'), newProduct(service)]);
      expect(waited.body.data[0]?.subject.id, `round ${round}`).to.equal(product.id);
    }
  });
});
