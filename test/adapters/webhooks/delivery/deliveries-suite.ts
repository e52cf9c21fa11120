import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '#domain/instant.ts';
import { exampleSecret, type Received } from '../receiver.ts';
import type { aDeliveryFixture } from './fixture.ts';

/** The status that a receiver responds with to one request. */
export type Respond = () => number | Promise<number>;

export interface StandReceiver {
  readonly port: number;
  readonly received: Pick<Received, 'body' | 'headers'>[];
}

/** A store, receivers, and the time that passes between them. */
export interface Stand {
  readonly fixture: ReturnType<typeof aDeliveryFixture>;
  start(respond?: Respond): Promise<StandReceiver>;
  /** Waits until the value satisfies the condition. @throws after a while */
  until<T>(read: () => Promise<T>, condition: (value: T) => boolean): Promise<T>;
  pass(milliseconds: number): Promise<void>;
  /** Waits for a promise that settles only as time passes. */
  settle(promise: Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/** What the worker delivers, on one kind of store. */
export const describeDeliveries = (product: string, open: () => Promise<Stand>): void => {
  describe(`The deliveries of webhooks, with ${product}`, () => {
    let stand: Stand;
    let fixture: Stand['fixture'];
    beforeEach(async () => {
      stand = await open();
      ({ fixture } = stand);
    });
    afterEach(() => stand.end());

    const sequencesAt = ({ received }: StandReceiver): readonly number[] =>
      received.map(({ body }) => JSON.parse(body).sequence);

    const allOf = (receiver: StandReceiver, count: number) =>
      stand.until(
        async () => receiver.received.length,
        (length) => length >= count,
      );

    it('reach the endpoint with everything that happens after its creation, signed, each once', async () => {
      const receiver = await stand.start();
      await fixture.addProducts(3);
      const endpoint = await fixture.endpoint(receiver.port, { eventTypes: ['product.*'] });
      fixture.startWorker();
      await fixture.addProducts(250);
      await allOf(receiver, 250);
      expect(sequencesAt(receiver).toSorted((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 250 }, (_, index) => index + 5),
      );
      for (const { body, headers } of receiver.received) {
        const event = new Webhook(exampleSecret).verify(body, headers as Record<string, string>);
        expect(event).to.include({ id: headers['webhook-id'], type: 'product.created' });
      }
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        (all) => all.length === 250 && all.every(({ status }) => status === 'succeeded'),
      );
      const [first] = await fixture.deliveriesTo(endpoint.id);
      expect(first).to.deep.include({ attemptCount: 1, trigger: 'event', nextAttemptAt: null, version: 2 });
      expect(first?.attempts[0]).to.deep.include({ statusCode: 204, error: null });
    });

    it('go on with what is kept, and say once what was deleted before', async () => {
      const receiver = await stand.start();
      const endpoint = await fixture.endpoint(receiver.port);
      await fixture.addProducts(3);
      const future = '2999-01-01T00:00:00.000Z' as Instant;
      await fixture.unitOfWork.run(({ events }) => events.deleteOlder(future, future));
      const { first, last } = await fixture.unitOfWork.read(({ events }) => events.feed());
      expect(first).to.equal(last + 1);
      fixture.startWorker();
      await stand.until(
        async () => fixture.lost,
        (lost) => lost.length > 0,
      );
      await stand.pass(600);
      expect(fixture.lost).to.deep.equal([last]);
      expect(fixture.warnings).to.have.length(1);
      expect(fixture.warnings[0]).to.match(/^Events 1 to 4 were deleted before they were enqueued/);
      await fixture.addProducts(1);
      await allOf(receiver, 1);
      expect(sequencesAt(receiver)).to.deep.equal([last + 1]);
      expect(await fixture.deliveriesTo(endpoint.id)).to.have.length(1);
    });

    it('are of the wanted types only, and the position moves on without them', async () => {
      const receiver = await stand.start();
      const endpoint = await fixture.endpoint(receiver.port, { eventTypes: ['order.*'] });
      fixture.startWorker();
      await fixture.addProducts(50);
      await stand.until(
        () => fixture.unitOfWork.read(({ endpointPositions }) => endpointPositions.find(endpoint.id)),
        (progress) => progress?.position === 51,
      );
      expect(receiver.received).to.deep.equal([]);
      expect(fixture.lags.get(endpoint.id)).to.equal(0);
    });

    it('are tried again after a failure, in the order of the feed where that is wanted', async () => {
      let requests = 0;
      const receiver = await stand.start(() => {
        requests += 1;
        return requests === 3 ? 500 : 200;
      });
      const endpoint = await fixture.endpoint(receiver.port, {
        eventTypes: ['product.created'],
        ordering: 'sequential',
      });
      fixture.startWorker();
      await fixture.addProducts(20);
      await allOf(receiver, 21);
      expect(sequencesAt(receiver)).to.deep.equal([
        ...[2, 3, 4],
        ...Array.from({ length: 18 }, (_, index) => index + 4),
      ]);
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        (all) => all.every(({ status }) => status === 'succeeded'),
      );
      const third = (await fixture.deliveriesTo(endpoint.id))[2];
      expect(third).to.deep.include({ attemptCount: 2, version: 3 });
      expect(third?.attempts.map(({ statusCode, error }) => [statusCode, error])).to.deep.equal([
        [500, 'status'],
        [200, null],
      ]);
    });

    it('are made again when the position is set back', async () => {
      const receiver = await stand.start();
      const endpoint = await fixture.endpoint(receiver.port);
      fixture.startWorker();
      await fixture.addProducts(5);
      await allOf(receiver, 6);
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        (all) => all.every(({ status }) => status === 'succeeded'),
      );
      await fixture.change(endpoint.id, { position: 3 });
      await allOf(receiver, 9);
      expect(sequencesAt(receiver).slice(6).toSorted()).to.deep.equal([4, 5, 6]);
      const triggers = (await fixture.deliveriesTo(endpoint.id)).map(({ trigger }) => trigger);
      expect(triggers).to.deep.equal([...Array(6).fill('event'), ...Array(3).fill('position')]);
    });

    it('come in order to a sequential endpoint whose position is set back while some are pending', async () => {
      let isDown = false;
      const receiver = await stand.start(() => (isDown ? 500 : 200));
      const endpoint = await fixture.endpoint(receiver.port, {
        eventTypes: ['product.created'],
        ordering: 'sequential',
      });
      fixture.startWorker();
      await fixture.addProducts(3);
      await allOf(receiver, 3);
      isDown = true;
      await fixture.addProducts(3);
      await allOf(receiver, 4);
      await fixture.change(endpoint.id, { status: 'disabled' });
      const before = receiver.received.length;
      isDown = false;
      await fixture.change(endpoint.id, { status: 'enabled', position: 1 });
      await allOf(receiver, before + 6);
      expect(sequencesAt(receiver).slice(before)).to.deep.equal([2, 3, 4, 5, 6, 7]);
    });

    it('end with 410: the endpoint is disabled, and keeps what is left until it is enabled', async () => {
      let isGone = true;
      const receiver = await stand.start(() => (isGone ? 410 : 200));
      const endpoint = await fixture.endpoint(receiver.port, {
        eventTypes: ['product.*'],
        ordering: 'sequential',
      });
      fixture.startWorker();
      await fixture.addProducts(4);
      await stand.until(
        () => fixture.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpoint.id)),
        (current) => current?.disabledReason === 'gone',
      );
      const left = await fixture.deliveriesTo(endpoint.id);
      expect(left.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).to.deep.equal(
        Array(4).fill(['pending', null]),
      );
      expect(receiver.received).to.have.length(1);
      expect(fixture.warnings).to.have.length(1);
      expect(fixture.disabled).to.deep.equal(['gone']);
      isGone = false;
      await fixture.change(endpoint.id, { status: 'enabled' });
      await allOf(receiver, 5);
    });

    it('go on at once when an endpoint is enabled, whatever its receiver answers to requests from before', async () => {
      const held: (() => void)[] = [];
      let isGone = true;
      const receiver = await stand.start(() =>
        isGone ? new Promise((resolve) => held.push(() => resolve(410))) : 200,
      );
      const endpoint = await fixture.endpoint(receiver.port, { eventTypes: ['product.*'] });
      const findEndpoint = () =>
        fixture.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpoint.id));
      fixture.startWorker();
      await fixture.addProducts(16);
      await stand.until(
        async () => held.length,
        (count) => count === 16,
      );
      held.shift()?.();
      await stand.until(findEndpoint, (current) => current?.disabledReason === 'gone');
      isGone = false;
      await fixture.change(endpoint.id, { status: 'enabled' });
      for (const answer of held) answer();
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        (all) => all.every(({ attemptCount }) => attemptCount > 0),
      );
      expect(await findEndpoint()).to.include({ status: 'enabled' });
      const progress = await fixture.unitOfWork.read(({ endpointPositions }) =>
        endpointPositions.find(endpoint.id),
      );
      expect(progress).to.include({ failures: 0, failingSince: null });
      await fixture.addProducts(1);
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        (all) => all.length === 17 && all.at(-1)?.status === 'succeeded',
      );
      expect(fixture.disabled).to.deep.equal(['gone']);
    });

    it('leave alone a receiver that fails, but for one request a minute, and keep few deliveries for it', async () => {
      const receiver = await stand.start(() => 500);
      const endpoint = await fixture.endpoint(receiver.port, { eventTypes: ['product.*'] });
      fixture.startWorker();
      await fixture.addProducts(1_200);
      await stand.until(
        async () => fixture.attempts.length,
        (count) => count >= 16,
      );
      await stand.until(
        () => fixture.deliveriesTo(endpoint.id),
        ({ length }) => length >= 1_000,
      );
      await stand.pass(700);
      expect(fixture.attempts.length).to.be.within(16, 32);
      const made = await fixture.deliveriesTo(endpoint.id);
      expect(made.length).to.be.within(1_000, 1_032);
      expect(fixture.lags.get(endpoint.id)).to.equal(1_200 - made.length);
    });

    it('of an example are marked as a test', async () => {
      const receiver = await stand.start();
      const endpoint = await fixture.endpoint(receiver.port, { eventTypes: ['user.*'] });
      fixture.startWorker();
      const { create } = fixture.useCases.deliveries;
      await fixture.unitOfWork.run(
        create(fixture.admin, { endpointId: endpoint.id, eventType: 'order.paid' }),
      );
      await allOf(receiver, 1);
      expect(JSON.parse(receiver.received[0]?.body ?? '')).to.deep.include({
        type: 'order.paid',
        test: true,
      });
    });

    it('are made by one process of two, and by the other once that has stopped', async () => {
      const receiver = await stand.start();
      await fixture.endpoint(receiver.port, { eventTypes: ['product.*'] });
      const [first] = [fixture.startWorker(), fixture.startWorker()];
      await fixture.addProducts(20);
      await allOf(receiver, 20);
      await stand.settle(first.stop());
      await fixture.addProducts(20);
      await allOf(receiver, 40);
      expect(new Set(sequencesAt(receiver)).size).to.equal(40);
      expect(receiver.received).to.have.length(40);
    });
  });
};
