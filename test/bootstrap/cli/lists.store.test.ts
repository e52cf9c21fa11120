import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { optionName } from '#bootstrap/cli/framework/command.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client } from '../../http/support/client.ts';
import { describeOnEach } from '../support/places.ts';
import { runHere } from '../support/portico.ts';
import { operatorKey, serverSettings } from '../support/server-settings.ts';

interface Listed {
  readonly id: string;
}

const idsOf = (json: string): string[] => JSON.parse(json).map(({ id }: Listed) => id);

describeOnEach('Lists of the command line', (place) => {
  let settings: Readonly<Record<string, string>>;
  let served: Readonly<Record<string, unknown>>;
  let ada: Listed;
  let orders: readonly (Listed & { readonly number: string })[];
  const run = (...words: readonly string[]) => runHere(words, settings);

  before(async () => {
    settings = {
      ...serverSettings,
      DATABASE_URL: place.url,
    };
    const app = await startApp(readConfig(settings));
    const client = new Client(() => app.url, operatorKey);
    const create = async (path: string, body: object) => (await client.post(path, body)).body.data;
    ada = await create('/v1/users', { email: 'ada@example.com', name: 'Ada 林' });
    const euro = await create('/v1/products', { name: 'Tea', price: { amount: 1290, currency: 'EUR' } });
    const yen = await create('/v1/products', { name: 'Tea', price: { amount: 150, currency: 'JPY' } });
    const placed = [];
    for (const order of [
      { product_id: euro.id, quantity: 2 },
      { product_id: yen.id, quantity: 1, user_id: ada.id },
      { product_id: euro.id, quantity: 1, user_id: ada.id },
    ]) {
      placed.push(await create('/v1/orders', order));
    }
    orders = placed;
    await client.patch(`/v1/orders/${placed[2].id}`, { status: 'canceled' });
    const list = async (path: string) => (await client.get(path)).body.data;
    served = { users: await list('/v1/users'), orders: await list('/v1/orders') };
    await app.close();
  });

  it('show users and orders as people read them', async () => {
    const users = await run('users', 'list');
    expect([users.code, users.errors]).to.deep.equal([0, '']);
    const lines = users.output.split('\n');
    expect(lines[0]).to.match(/^ID +EMAIL +ROLE +CREATED +NAME$/);
    expect(lines[1]).to.match(/^\S{36} {2}operator@localhost {2}admin {5}\S+Z {2}Operator$/);
    expect(lines[2]).to.match(/^\S{36} {2}ada@example\.com {5}customer {2}\S+Z {2}Ada 林$/);
    const listed = (await run('orders', 'list')).output.split('\n');
    expect(listed[0]).to.match(/^ID +NUMBER +USER +STATUS +TOTAL +ITEMS +CREATED$/);
    expect(listed[1]).to.match(/ {2}operator@localhost {2}pending {3}25\.80 EUR {2}1 {6}\S+Z$/);
    expect(listed[2]).to.include(
      `${orders[1]?.id}  ${orders[1]?.number}  ada@example.com     pending   150 JPY  `,
    );
    expect(listed[3]).to.match(/ canceled {2}12\.90 EUR {2}1 /);
  });

  it('are those of the API in JSON, without secrets', async () => {
    for (const name of ['users', 'orders']) {
      const { code, output, errors } = await run(name, 'list', '--json');
      expect([code, errors]).to.deep.equal([0, '']);
      expect(JSON.parse(output)).to.deep.equal(served[name]);
      expect(output).to.not.match(/hash|secret|token|ptc_/);
    }
  });

  it('have every filter of the API', async () => {
    const documented = JSON.parse((await run('openapi')).output);
    for (const name of ['users', 'orders']) {
      const { options } = (await commands[`${name} list`]?.()) ?? { options: {} };
      const names = Object.keys(options).map((option) => optionName(option).slice(2));
      const parameters: { name?: string; $ref?: string }[] = documented.paths[`/v1/${name}`].get.parameters;
      const filters = parameters
        .map(
          (parameter) =>
            parameter.name ?? documented.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''].name,
        )
        .filter(
          (filter: string) =>
            /^[a-z_]+$/.test(filter) && !['limit', 'cursor', 'sort', 'expand'].includes(filter),
        )
        .map((filter: string) => filter.replace(/^user_id$/, 'user').replaceAll('_', '-'));
      expect(filters, name).to.not.deep.equal([]);
      expect(names, name).to.include.members(filters);
    }
  });

  it('are filtered', async () => {
    const lists: readonly (readonly [readonly string[], readonly (string | undefined)[]])[] = [
      [['users', 'list', '--email', 'ADA@example.com'], [ada.id]],
      [['users', 'list', '--email', 'eve@example.com'], []],
      [
        ['orders', 'list', '--user', 'ada@example.com'],
        [orders[1]?.id, orders[2]?.id],
      ],
      [['orders', 'list', '--user', ada.id.toUpperCase(), '--status', 'canceled'], [orders[2]?.id]],
      [
        ['orders', 'list', '--status', 'pending'],
        [orders[0]?.id, orders[1]?.id],
      ],
      [['orders', 'list', '--status', 'refunded'], []],
      [
        ['orders', 'list', '--number', orders[1]?.number.toLowerCase().replaceAll('-', '') ?? ''],
        [orders[1]?.id],
      ],
      [['orders', 'list', '--external-id', 'ERP-1'], []],
      [['orders', 'list', '--created-before', '2000-01-01T00:00:00+01:00'], []],
      [
        ['orders', 'list', '--paid-from', '2000-01-01T00:00:00Z', '--paid-before', '2100-01-01T00:00:00Z'],
        [],
      ],
      [['users', 'list', '--role', 'staff'], []],
      [['users', 'list', '--external-id', 'CRM-1', '--created-from', '2000-01-01T00:00:00Z'], []],
    ];
    for (const [words, ids] of lists) {
      expect(idsOf((await run(...words, '--json')).output), words.join(' ')).to.deep.equal(ids);
    }
    const { code, errors } = await run('orders', 'list', '--user', 'eve@example.com');
    expect([code, errors]).to.deep.equal([
      1,
      'portico: There is no user eve@example.com. portico users list shows all, and portico users create creates one.\n',
    ]);
  });

  it('say that they are empty', async () => {
    const empty = [
      [['orders', 'list', '--status', 'refunded'], 'No orders found.\n'],
      [['users', 'list', '--email', 'eve@example.com'], 'No users found.\n'],
    ] as const;
    for (const [words, errors] of empty) {
      expect(await run(...words)).to.deep.equal({ code: 0, output: '', errors });
      expect(await run(...words, '--json')).to.deep.equal({ code: 0, output: '[]\n', errors: '' });
    }
  });

  it('have the newest first on request, and go on from there', async () => {
    const newest = orders.map(({ id }) => id).toReversed();
    const list = ['orders', 'list', '--newest', '--json'] as const;
    expect(idsOf((await run(...list)).output)).to.deep.equal(newest);
    expect(idsOf((await run(...list, '--after', newest[0] ?? '')).output)).to.deep.equal(newest.slice(1));
    const users = idsOf((await run('users', 'list', '--json')).output);
    expect(idsOf((await run('users', 'list', '--newest', '--json')).output)).to.deep.equal(
      users.toReversed(),
    );
  });

  it('are walked through with --limit and --after, which name each resource once', async () => {
    for (const [name, all] of [
      ['orders', orders.map(({ id }) => id)],
      ['users', idsOf((await run('users', 'list', '--json')).output)],
    ] as const) {
      const walked: string[] = [];
      let after: string[] = [];
      for (let pages = 0; pages < all.length; pages += 1) {
        const { output, errors } = await run(name, 'list', '--limit', '1', '--json', ...after);
        walked.push(...idsOf(output));
        const [, next] = /^There are more\. To continue, add --after (\S+)\.\n$/.exec(errors) ?? [];
        expect(next === undefined, errors).to.equal(pages === all.length - 1);
        after = ['--after', `${next}`];
      }
      expect(walked).to.deep.equal(all);
    }
  });
});
