import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../bootstrap/support/ports.ts';
import { type Server, startServer } from '../../bootstrap/support/server.ts';
import type { Json } from '../../http/support/client.ts';
import { expectCreated, expectList, expectOne } from '../../http/support/expectations.ts';
import { euros, once, pay } from '../../http/support/shop.ts';
import { Program } from '../../lab/program.ts';
import { isNight } from '../../support/night.ts';
import { Random } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { PostOffice, type Received, type Stage, smtpError } from './post-office.ts';

/** A name and addresses that no log may have. The name would add a header and lines, if it could. */
const name = 'Ada "<b>Winterfeldt"\r\nBcc: eve@example.com';
const addressOf = (customer: string): string => `${customer}.o'winterfeldt+tea@example.com`;

/** How often it is killed at each point. */
const kills = isNight ? 25 : 3;

describe('The example that sends mails', () => {
  const folder = temporaryFolder();
  const random = new Random(7);
  let server: Server;
  let office: PostOffice;
  let mailer: Program;
  let environment: Readonly<Record<string, string>>;
  let product: Json;
  let endpoint: Json;
  let printed = '';

  const made = async (path: string, body: object): Promise<Json> =>
    expectCreated(await server.client.post(path, body, once()), path);

  const startMailer = async (): Promise<void> => {
    mailer = new Program('docs/examples/mailer/mailer.ts', { environment });
    await mailer.printed(/"listening"/);
  };
  const killMailer = async (): Promise<void> => {
    await mailer.kill();
    printed += mailer.output + mailer.errors;
  };

  before(async () => {
    const [port, smtpPort] = [await freePort(), await freePort()];
    server = await startServer({
      DATABASE_URL: `sqlite:${folder('shop.db')}`,
      WEBHOOK_ALLOW: `127.0.0.1:${port}`,
    });
    office = new PostOffice(smtpPort);
    await office.open();
    product = await made('/v1/products', { name: 'Sidamo', price: euros(1290), tax_rate: 10 });
    const user = await made('/v1/users', { email: 'mailer@shop.example', name: 'Mailer', role: 'staff' });
    const scopes = ['orders:read', 'users:read'];
    const key = await made('/v1/api-keys', { user_id: user.id, name: 'Mailer', scopes });
    endpoint = await made('/v1/webhook-endpoints', {
      url: `http://127.0.0.1:${port}/`,
      event_types: ['order.paid', 'refund.succeeded'],
    });
    environment = {
      PORT: `${port}`,
      PORTICO_URL: server.client.base,
      PORTICO_KEY: key.token,
      WEBHOOK_SECRETS: endpoint.secret,
      SMTP_URL: office.url,
      MAIL_FROM: 'Harbour Coffee <orders@shop.example>',
      SHOP_NAME: 'Harbour Coffee',
      NOTES: folder('mailer.db'),
    };
    await startMailer();
  });
  afterEach(() => {
    office.visit = () => undefined;
  });
  after(async () => {
    await mailer?.kill();
    await server?.program.kill();
    await office?.close();
  });

  const newCustomer = (metadata: object = {}): Promise<Json> =>
    made('/v1/users', { email: addressOf(randomUUID()), name, metadata });

  /** Orders three bags, paid by the customer. */
  const paidOrder = async (customer: Json, metadata: object = {}): Promise<Json> => {
    const items = [{ product_id: product.id, quantity: 3 }];
    const order = await made('/v1/orders', { items, user_id: customer.id, metadata, shipping: euros(490) });
    expectOne(await pay(server.client, order), 201);
    return order;
  };

  const eventOf = async ({ id }: Json, type: string): Promise<string> => {
    const events = expectList(await server.client.get(`/v1/events?order_id=${id}&type=${type}`));
    expect(events).to.have.length(1);
    return events[0].id;
  };

  const paidEvent = async (customer: Json, metadata?: object): Promise<string> =>
    eventOf(await paidOrder(customer, metadata), 'order.paid');

  const refund = async (order: Json, amount: number): Promise<string> => {
    const payments = expectList(await server.client.get(`/v1/payments?order_id=${order.id}`));
    await made('/v1/refunds', { payment_id: payments[0].id, amount: euros(amount) });
    return eventOf(order, 'refund.succeeded');
  };

  const deliveriesOf = async (eventId: string): Promise<Json[]> =>
    expectList(await server.client.get(`/v1/webhook-deliveries?event_id=${eventId}`));

  /** Has every delivery that waits made now. */
  const hurry = async (): Promise<void> => {
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    for (const ordering of ['sequential', 'parallel'])
      expectOne(await server.client.patch(path, { ordering }));
  };

  /** Waits until the mailer has acknowledged an event. @returns the mails that were sent for it */
  const settled = async (eventId: string): Promise<readonly Received[]> => {
    let polls = 0;
    await until(
      async () => {
        polls += 1;
        if (polls % 10 === 0) await hurry();
        return deliveriesOf(eventId);
      },
      (deliveries) => deliveries.length > 0 && deliveries.every(({ status }) => status === 'succeeded'),
    );
    return office.of(eventId);
  };

  const outcomesOf = (eventId: string): string[] =>
    (printed + mailer.output)
      .split('\n')
      .filter((line) => line.includes(eventId))
      .map((line) => JSON.parse(line).outcome);

  const isLogged = (eventId: string, outcome: string): Promise<unknown> =>
    until(
      async () => outcomesOf(eventId),
      (outcomes) => outcomes.includes(outcome),
    );

  /** Resolves at the next visit of a stage, which then lasts until `release` is called. */
  const holdAt = (wanted: Stage): { readonly reached: Promise<void>; readonly release: () => void } => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    office.visit = async (stage) => {
      if (stage !== wanted) return;
      reached.resolve();
      await released.promise;
    };
    return { reached: reached.promise, release: released.resolve };
  };

  it('confirms a paid order and a refund in English', async () => {
    const customer = await newCustomer();
    const order = await paidOrder(customer);
    const [mail, ...more] = await settled(await eventOf(order, 'order.paid'));
    expect(more).to.deep.equal([]);
    expect(mail?.to).to.deep.equal([customer.email]);
    expect(mail?.header('To')).to.equal(customer.email);
    expect(mail?.header('From')).to.equal('Harbour Coffee <orders@shop.example>');
    expect(mail?.header('Subject')).to.equal(`Your order ${order.number}`);
    expect(mail?.header('Auto-Submitted')).to.equal('auto-generated');
    expect(mail?.body).to.include(
      '3 x Sidamo: €38.70\r\nShipping: €4.90\r\nTotal: €43.60\r\nTax included at 10%',
    );
    const [second] = await settled(await refund(order, 1_000));
    expect(second?.header('Subject')).to.equal(`Refund for your order ${order.number}`);
    expect(second?.body).to.include(`we have refunded €10.00 for your order ${order.number}.`);
  });

  it('writes German to a customer who reads German, and in the language of the order before that', async () => {
    const customer = await newCustomer({ language: 'de-AT' });
    const order = await paidOrder(customer);
    const [mail] = await settled(await eventOf(order, 'order.paid'));
    expect(mail?.header('Subject')).to.equal(`Ihre Bestellung ${order.number}`);
    expect(mail?.body).to.include('3 x Sidamo: 38,70 €\r\nVersand: 4,90 €\r\nSumme: 43,60 €');
    const [second] = await settled(await refund(order, 4_360));
    expect(second?.body).to.include(`wir haben Ihnen 43,60 € für Ihre Bestellung ${order.number} erstattet.`);
    const [third] = await settled(await paidEvent(customer, { language: 'en' }));
    expect(third?.body).to.include('Total: €43.60');
  });

  it('keeps a name within its line', async () => {
    const [mail] = await settled(await paidEvent(await newCustomer()));
    expect(mail?.body).to.include('Hello Ada "<b>Winterfeldt" Bcc: eve@example.com,\r\n');
    expect(mail?.header('Bcc')).to.equal(undefined);
    expect(mail?.to).to.have.length(1);
  });

  it('sends later what an SMTP server does not take now', async () => {
    await office.close();
    const first = await paidEvent(await newCustomer());
    await isLogged(first, 'failed');
    await office.open();
    expect(await settled(first)).to.have.length(1);
    for (const [stage, code] of [
      ['address', 451],
      ['accepted', 452],
      ['accepted', 554],
      ['greeting', 421],
      ['sender', 550],
    ] as const) {
      const failing = Promise.withResolvers<void>();
      office.visit = (visited) => {
        if (visited !== stage) return;
        failing.resolve();
        throw smtpError(code, 'Not now.');
      };
      const before = office.mails.length;
      const eventId = await paidEvent(await newCustomer());
      await failing.promise;
      await isLogged(eventId, 'failed');
      office.visit = () => undefined;
      const rejected = stage === 'accepted' ? office.mails.length - before : 0;
      expect(await settled(eventId), `${code}`).to.have.length(rejected + 1);
    }
  });

  it('acknowledges an event whose address is refused for good', async () => {
    const customer = await newCustomer();
    office.visit = (stage) => {
      if (stage === 'address') throw smtpError(550, `No mailbox ${customer.email} here.`);
    };
    const eventId = await paidEvent(customer);
    expect(await settled(eventId)).to.deep.equal([]);
    expect(outcomesOf(eventId)).to.deep.equal(['address refused']);
    expect((await deliveriesOf(eventId))[0]?.attempt_count).to.equal(1);
  });

  it('sends no mail to an erased customer', async () => {
    const customer = await newCustomer();
    const order = await paidOrder(customer);
    await settled(await eventOf(order, 'order.paid'));
    expectOne(await server.client.patch(`/v1/orders/${order.id}`, { status: 'fulfilled' }));
    await made('/v1/erasures', { user_id: customer.id });
    const eventId = await refund(order, 1_000);
    expect(await settled(eventId)).to.deep.equal([]);
    expect(outcomesOf(eventId)).to.deep.equal(['user erased']);
  });

  it('sends one mail for an event that is delivered again, also while it is being sent', async () => {
    const { reached, release } = holdAt('accepted');
    const eventId = await paidEvent(await newCustomer());
    await reached;
    const again = { endpoint_id: endpoint.id, event_id: eventId };
    for (let count = 0; count < 3; count += 1) await made('/v1/webhook-deliveries', again);
    // By night longer than Portico waits for a response.
    await pause(isNight ? 25_000 : 1_000);
    release();
    expect(await settled(eventId)).to.have.length(1);
    await made('/v1/webhook-deliveries', again);
    expect(await settled(eventId)).to.have.length(1);
    expect(outcomesOf(eventId).at(-1)).to.equal('sent before');
  });

  for (const stage of ['greeting', 'address', 'accepted'] as const)
    it(`loses no mail when it is killed at this point: ${stage}`, async () => {
      for (let round = 0; round < kills; round += 1) {
        const { reached, release } = holdAt(stage);
        const eventId = await paidEvent(await newCustomer());
        await reached;
        await killMailer();
        office.visit = () => undefined;
        release();
        await startMailer();
        const mails = await settled(eventId);
        // Before the mail is there, nothing was sent. Afterwards the server had the mail, and the mailer did not know.
        expect(mails).to.have.length(stage === 'accepted' ? 2 : 1);
        expect(new Set(mails.map(({ header }) => header('Message-ID'))).size).to.equal(1);
      }
    });

  it('loses no mail when it is killed at any time, and sends a mail twice only where it was killed', async () => {
    for (let round = 0; round < kills; round += 1) {
      const placing = Promise.all(Array.from({ length: 4 }, async () => paidEvent(await newCustomer())));
      await pause(random.below(400));
      await killMailer();
      await startMailer();
      // Each round by itself: after ten failures in a row an endpoint gets one attempt a minute.
      for (const eventId of await placing) {
        expect((await settled(eventId)).length).to.be.within(1, 2);
        expect(outcomesOf(eventId).filter((outcome) => outcome === 'sent').length).to.be.at.most(1);
      }
    }
  });

  it('sends no mail twice because its note could not be written at first', async () => {
    await killMailer();
    const notes = new DatabaseSync(environment['NOTES'] ?? '');
    // `fail` keeps what the trigger has written, so that only the first update fails.
    notes.exec(`
      create table faults (event_id text primary key);
      create trigger fault before update on mails when new.event_id not in (select event_id from faults) begin
        insert into faults values (new.event_id);
        select raise(fail, 'disk is full');
      end`);
    notes.close();
    await startMailer();
    const eventId = await paidEvent(await newCustomer());
    expect(await settled(eventId)).to.have.length(1);
    expect(outcomesOf(eventId)).to.deep.equal(['failed', 'sent']);
    await killMailer();
    const again = new DatabaseSync(environment['NOTES'] ?? '');
    again.exec('drop trigger fault');
    again.close();
    await startMailer();
  });

  it('finishes what is under way when it is asked to stop', async () => {
    const { reached, release } = holdAt('accepted');
    const eventId = await paidEvent(await newCustomer());
    await reached;
    mailer.signal('SIGTERM');
    await pause(200);
    release();
    expect(await mailer.ended()).to.equal(0);
    printed += mailer.output;
    await startMailer();
    expect(await settled(eventId)).to.have.length(1);
  });

  it('does not start beside another mailer with the same notes', async () => {
    const second = new Program('docs/examples/mailer/mailer.ts', {
      environment: { ...environment, PORT: `${await freePort()}` },
    });
    expect(await second.ended()).to.equal(1);
    expect(second.errors).to.include('database is locked');
  });

  it('rejects what Portico has not signed, and what is too long, and acknowledges what it does not know', async () => {
    const send = async (event: Json, secret = endpoint.secret): Promise<number> => {
      const body = JSON.stringify(event);
      const now = new Date();
      const signature = new Webhook(secret).sign(event.id, now, body);
      const headers = {
        ...{ 'webhook-id': event.id, 'webhook-signature': signature },
        'webhook-timestamp': `${Math.floor(now.getTime() / 1_000)}`,
      };
      const url = `http://127.0.0.1:${environment['PORT']}/`;
      return (await fetch(url, { method: 'POST', body, headers })).status;
    };
    const event = { id: randomUUID(), type: 'parcel.created', order_id: randomUUID() };
    const before = office.mails.length;
    expect(await send(event)).to.equal(204);
    expect(await send({ ...event, type: 'order.paid' })).to.equal(204);
    expect(outcomesOf(event.id)).to.deep.equal(['ignored', 'no such order or user']);
    expect(await send({ ...event, type: 'order.paid', test: true })).to.equal(204);
    expect(await send({ ...event, data: 'x'.repeat(1_000_001) })).to.equal(413);
    expect(await send(event, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).to.equal(400);
    expect(office.mails.length).to.equal(before);
  });

  it('tries again what a faulty setting or an unavailable server has failed', async () => {
    const eventId = await paidEvent(await newCustomer());
    await settled(eventId);
    await killMailer();
    const wrongly = environment;
    environment = { ...environment, PORTICO_KEY: 'ptc_wrong', NOTES: folder('other.db') };
    await startMailer();
    environment = wrongly;
    await made('/v1/webhook-deliveries', { endpoint_id: endpoint.id, event_id: eventId });
    await isLogged(eventId, 'failed');
    await killMailer();
    await startMailer();
    expect(await settled(eventId)).to.have.length(1);
  });

  it('has logged no name and no address', () => {
    const logged = printed + mailer.output + mailer.errors;
    expect(logged.length).to.be.above(1_000);
    for (const personal of ['winterfeldt', 'example.com', 'No mailbox'])
      expect(logged.toLowerCase()).not.to.include(personal.toLowerCase());
  });
});
