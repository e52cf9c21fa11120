import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Receiver, startReceiver } from '../adapters/webhooks/receiver.ts';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdmin, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, signIn } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdmin(
  'Webhooks on the admin page',
  (admin) => {
    let receiver: Receiver;
    let status = 204;
    let url: string;

    before(async () => {
      receiver = await startReceiver((request, response) =>
        response.writeHead(request.url === '/gone' ? 410 : status).end(),
      );
      url = `http://127.0.0.1:${receiver.port}/hooks`;
    });
    after(() => receiver?.close());
    afterEach(async () => {
      status = 204;
      for (const { id } of await endpoints()) await admin.client.delete(`/v1/webhook-endpoints/${id}`);
    });

    const endpoints = async (): Promise<Json[]> =>
      (await admin.client.get('/v1/webhook-endpoints')).body.data;
    const endpoint = async (id: string): Promise<Json> =>
      (await admin.client.get(`/v1/webhook-endpoints/${id}`)).body.data;
    const newEndpoint = async (fields: object = {}): Promise<Json> =>
      (await admin.client.post('/v1/webhook-endpoints', { url, ...fields })).body.data;
    const newProduct = async (name: string): Promise<void> => {
      const fields = { name, sku: crypto.randomUUID(), price: { amount: 100, currency: 'EUR' }, stock: 1 };
      expect((await admin.client.post('/v1/products', fields)).status).to.equal(201);
    };
    const delivered = (id: string, wanted: string): Promise<Json[]> =>
      until(
        async () => (await admin.client.get(`/v1/webhook-deliveries?endpoint_id=${id}`)).body.data as Json[],
        (all) => all.some((each) => each.status === wanted || each.attempt_count > 0),
        15_000,
      );
    const confirm = async (page: Page, name: string): Promise<void> =>
      admin.press(page.getByRole('dialog').getByRole('button', { name, exact: true }));
    const problemsAt = async (page: Page): Promise<readonly string[]> => {
      const width: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(width).to.be.at.most(0);
      return accessibilityProblems(page);
    };

    it('are added with what they get, and show their secret once, with a copy', async () => {
      const page = await admin.open('/webhooks', { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByText('No webhooks yet').waitFor();
      await admin.press(page.getByRole('link', { name: 'Add a webhook' }));
      await page.getByLabel('Send to').fill(url);
      await page.getByLabel('What it is for').fill(hostile);
      await admin.press(page.getByLabel('Only what I choose'));
      await admin.press(page.getByRole('button', { name: 'Add the webhook' }));
      await page.getByText('Choose at least one thing').waitFor();
      await admin.press(page.getByRole('group', { name: 'Orders' }).getByLabel('All'));
      await admin.press(page.getByRole('group', { name: 'Payments' }).getByLabel('Failed'));
      await admin.press(page.getByLabel('One after the other, in order'));
      expect(await problemsAt(page)).to.deep.equal([]);
      await admin.press(page.getByRole('button', { name: 'Add the webhook' }));

      const dialog = page.getByRole('dialog');
      const secret = await dialog.getByLabel('Secret').inputValue();
      expect(secret).to.match(/^whsec_.{44}$/);
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await admin.press(dialog.getByRole('button', { name: 'Done' }));
      await dialog.getByText('You have not copied it').waitFor();
      await admin.press(dialog.getByRole('button', { name: 'Copy', exact: true }));
      await dialog.getByText('Copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
      await admin.press(dialog.getByRole('button', { name: 'Done' }));

      await page.getByRole('heading', { name: /^Webhook: / }).waitFor();
      await page.getByText('Orders · Payment: failed').waitFor();
      await page.getByRole('heading', { name: hostile }).waitFor();
      const places: string = await page.evaluate(
        'location.href + document.title + JSON.stringify([sessionStorage, localStorage]) + document.documentElement.outerHTML + [...document.querySelectorAll("input")].map(({ value }) => value)',
      );
      expect(places).not.to.contain(secret);
      const [made] = await endpoints();
      expect(made).to.include({ url, description: hostile, ordering: 'sequential', payload: 'full' });
      expect(made?.event_types).to.have.members(['order.*', 'payment.failed']);
    });

    it('keep a secret in view when one goes back by mistake, and select it where there is no clipboard', async () => {
      const { id } = await newEndpoint();
      const page = await admin.open('/webhooks');
      await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
      await admin.press(page.getByRole('link', { name: url }));
      await admin.press(page.getByRole('button', { name: 'Make a new secret' }));
      await page.getByLabel('How long the old secret stays valid').selectOption('Not at all: it has leaked');
      await confirm(page, 'Make a new secret');
      const input = page.getByRole('dialog').getByLabel('Secret', { exact: true });
      const secret = await input.inputValue();
      await page.goBack();
      await page.getByText('You have not copied it').waitFor();
      expect(await input.inputValue()).to.equal(secret);
      await admin.press(page.getByRole('button', { name: 'Copy', exact: true }));
      await page.getByText('It is selected').waitFor();
      expect(await page.evaluate('String(getSelection())')).to.equal(secret);
      expect((await endpoint(id)).secrets[0].hint.slice(0, 8)).to.equal(secret.slice(0, 8));

      await page.evaluate('location.hash = "#/orders"');
      await page.getByRole('heading', { name: 'Orders' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.content()).not.to.contain(secret);
    });

    it('are changed, switched off and on, and deleted, each confirmed', async () => {
      const { id } = await newEndpoint();
      const page = await admin.open(`/webhooks/${id}`);
      await admin.press(page.getByRole('link', { name: 'Change' }));
      expect(await page.getByLabel('Send to').inputValue()).to.equal(url);
      await page.getByLabel('Send to').fill('https://10.0.0.1/hooks');
      await admin.press(page.getByLabel('Only that it happened'));
      await admin.press(page.getByRole('button', { name: 'Save' }));
      await page.getByRole('alert').getByText('not public').waitFor();
      await page.getByLabel('Send to').fill(`${url}/new`);
      await admin.press(page.getByRole('button', { name: 'Save' }));
      await page.getByRole('heading', { name: /^Webhook: / }).waitFor();
      expect(await endpoint(id)).to.include({ url: `${url}/new`, payload: 'thin' });

      await admin.press(page.getByRole('button', { name: 'Switch off' }));
      await confirm(page, 'Switch off');
      await page.getByText('It was switched off by hand.').waitFor();
      expect((await endpoint(id)).status).to.equal('disabled');
      await admin.press(page.getByRole('button', { name: 'Switch on' }));
      await confirm(page, 'Switch on');
      await page.getByText('On', { exact: true }).waitFor();
      expect((await endpoint(id)).status).to.equal('enabled');

      await admin.press(page.getByRole('button', { name: 'Delete' }));
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await endpoints()).to.have.length(1);
      await admin.press(page.getByRole('button', { name: 'Delete' }));
      await confirm(page, 'Delete');
      await page.getByText('No webhooks yet').waitFor();
      expect(await endpoints()).to.deep.equal([]);
    });

    it('show what was sent with its attempts, send it again, and send everything again from there', async () => {
      const { id } = await newEndpoint({ event_types: ['product.*'] });
      await newProduct('First');
      await delivered(id, 'succeeded');
      const page = await admin.open(`/webhooks/${id}`);
      await admin.press(page.getByRole('link', { name: 'Product: added' }));
      await page.getByText('The receiver has accepted it. It responded with 204.').waitFor();
      expect(await problemsAt(page)).to.deep.equal([]);
      const before = receiver.received.length;
      await admin.press(page.getByRole('button', { name: 'Send again' }));
      await confirm(page, 'Send again');
      await page.getByText('It was sent again by hand.').waitFor();
      await until(
        async () => receiver.received.length,
        (count) => count === before + 1,
        15_000,
      );
      await page.getByText('Arrived', { exact: true }).waitFor();

      await newProduct('Second');
      await until(
        async () => receiver.received.length,
        (count) => count === before + 2,
        15_000,
      );
      await admin.press(page.getByRole('button', { name: 'Replay from here' }));
      await confirm(page, 'Send everything again');
      await page.getByRole('heading', { name: 'What was sent' }).waitFor();
      await until(
        async () => receiver.received.length,
        (count) => count === before + 4,
        15_000,
      );
      const bodies = receiver.received.slice(-2).map(({ body }) => JSON.parse(body).data.name);
      expect(bodies).to.have.members(['First', 'Second']);
    });

    it('say which of them do not arrive, and why', async () => {
      status = 500;
      const failing = await newEndpoint({ event_types: ['product.*'], description: 'Till' });
      await newProduct('Third');
      await delivered(failing.id, 'failed');
      const gone = await newEndpoint({ event_types: ['product.*'], url: url.replace('/hooks', '/gone') });
      await newProduct('Fourth');
      await until(
        () => endpoint(gone.id),
        ({ disabled_reason: reason }) => reason === 'gone',
        15_000,
      );
      const page = await admin.open('/webhooks', phone);
      await page.getByText(/Nothing has arrived there since/).waitFor();
      await page.getByText(/receiver said that it is gone/).waitFor();
      expect(await problemsAt(page)).to.deep.equal([]);
      await page.evaluate(`location.hash = "#/webhooks/${failing.id}?status=succeeded"`);
      await page.getByText('Nothing here.').waitFor();
      await admin.press(page.getByRole('link', { name: 'Waiting', exact: true }));
      await admin.press(page.getByRole('link', { name: 'Product: added' }).first());
      await page
        .getByText(/The receiver did not accept it. It responded with 500/)
        .first()
        .waitFor();
      expect(await problemsAt(page)).to.deep.equal([]);
    });

    it('get an example by keyboard alone', async () => {
      const { id } = await newEndpoint({ event_types: ['product.*'] });
      const page = await admin.open(`/webhooks/${id}`, phone);
      await pressByKeyboard(page.getByRole('button', { name: 'Send an example' }));
      await page.getByRole('dialog').waitFor();
      await page.getByLabel('Of what').focus();
      await page.keyboard.type('Order: paid');
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
      await page.getByText('It is an example').waitFor();
      await page.getByText('Arrived', { exact: true }).waitFor();
      expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).to.include({ type: 'order.paid', test: true });
    });

    it('are read by staff, who see what only an administrator can do, and hidden from a key without the right', async () => {
      const { id } = await newEndpoint();
      const { client } = admin;
      const someone = { email: `${crypto.randomUUID()}@example.com`, name: 'Packer', role: 'staff' };
      const { id: user } = (await client.post('/v1/users', someone)).body.data;
      const keyOf = async (fields: object): Promise<string> =>
        (await client.post('/v1/api-keys', { name: 'Desk', user_id: user, ...fields })).body.data.token;
      const page = await admin.open('/webhooks', { isSignedIn: false });
      await signIn(page, await keyOf({}));
      await page.getByText('Only an administrator can add and change webhooks.').waitFor();
      expect(await page.getByRole('link', { name: 'Add a webhook' }).count()).to.equal(0);
      await admin.press(page.getByRole('link', { name: url }));
      await page.getByText('Only an administrator can change this webhook').waitFor();
      expect(await page.getByRole('button', { name: 'Delete' }).count()).to.equal(0);
      await admin.pressInMenu(page.getByRole('button', { name: 'Sign out' }));
      await signIn(page, await keyOf({ scopes: ['users:read', 'orders:read'] }));
      await page.getByText('You are not allowed to do this.').waitFor();
      await page.getByText('lacks the scope webhook-endpoints:read').waitFor();
      expect((await endpoint(id)).status).to.equal('enabled');
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1:*' },
);
