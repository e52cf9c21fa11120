import { inspect } from 'node:util';
import { expect } from 'chai';
import { UnavailableError } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { openAdapter } from '#bootstrap/composition/modules/load-adapter.ts';
import { customKind } from '#bootstrap/composition/ports/custom-store.ts';
import { withOptionalPackage } from '#bootstrap/composition/ports/open-store.ts';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { turnsUntil } from '../../support/turns.ts';
import { outsideProject } from '../support/outside.ts';
import { runHere } from '../support/portico.ts';

const version = 'export const apiVersion = 0;\n';
const unitOfWork = '{ run: async () => undefined, read: async () => undefined }';

describe('A module from outside', () => {
  const { write, place } = outsideProject();

  const open = (name: string, text: string) =>
    customKind(findAdapterModule('PERSISTENCE_ADAPTER', write(name, text))).open({ url: 'my:shop' });

  const openError = async (name: string, text: string): Promise<unknown> =>
    open(name, text).then(
      () => undefined,
      (error: unknown) => error,
    );

  const faults: readonly (readonly [name: string, text: string, expected: RegExp])[] = [
    [
      'node_modules/typed/index.ts',
      version,
      /^which loads TypeScript inside node_modules\. .* build it to JavaScript/,
    ],
    ['enum.ts', 'enum A { B }', /^which uses TypeScript that Node cannot erase.* Set erasableSyntaxOnly/],
    [
      'property.ts',
      'class A { constructor(readonly b: string) {} }',
      /^which uses TypeScript that Node cannot erase/,
    ],
    ['syntax.ts', 'export const = 1;', /^which has a syntax error\. Fix it: /],
    ['syntax.js', 'export const = 1;', /^which has a syntax error\. Fix it: /],
    ['name.ts', "import { absent } from 'portico/domain'; absent();", /^which has a syntax error\. .*absent/],
    ['text.txt', 'A text.', /^which is no JavaScript or TypeScript\. Name a file that ends with \.ts/],
    ['package.ts', "import 'absent-driver';", /^which imports something that is missing\. .*absent-driver/],
    ['file.ts', "import './absent.ts';", /^which imports something that is missing\. .*absent\.ts/],
    ['entry.ts', "import 'portico/absent';", /^which imports something that is missing\. .*absent/],
    [
      'throw.ts',
      "throw new Error('No\\nlicense.');",
      /^which threw while it was loaded\. Fix it: No license\.$/,
    ],
    ['import-null.ts', 'throw null;', /^which threw while it was loaded\. Fix it: null\.$/],
    ['default.ts', 'export default { apiVersion: 0 };', /^which must export apiVersion 0: add /],
    [
      'place.ts',
      "import './syntax-of.ts';",
      /^which has a syntax error\. Fix it: .* at \/\S+\/syntax-of\.ts:3\.$/,
    ],
    ['string.ts', "throw 'a text';", /^which threw while it was loaded\. Fix it: a text\.$/],
    ['reject.ts', 'await Promise.reject(undefined);', /^which threw while it was loaded/],
    ['none.ts', 'export {};', /^which must export apiVersion 0: add export const apiVersion = 0\.$/],
    ['next.ts', 'export const apiVersion = 1;', /^which must export apiVersion 0, not 1: add /],
    ['factory.ts', version, /^which must export openStore, a function\.$/],
    ['other.ts', `${version}export const openStore = 1;`, /^which must export openStore, a function\.$/],
    [
      'nothing.ts',
      `${version}export const openStore = () => undefined;`,
      /^whose openStore must return an object with unitOfWork, an object\.$/,
    ],
    [
      'read.ts',
      `${version}export const openStore = () => ({ unitOfWork: { run() {} } });`,
      /with unitOfWork\.read, a function\.$/,
    ],
    [
      'close.ts',
      `${version}export const openStore = () => ({ unitOfWork: ${unitOfWork} });`,
      /with close, a function\.$/,
    ],
    [
      'now.ts',
      `${version}export const openStore = () => ({ unitOfWork: ${unitOfWork}, close() {}, now: 7 });`,
      /with now, a function\.$/,
    ],
    [
      'failing.ts',
      `${version}export const openStore = async () => { throw new Error('No host.'); };`,
      /^whose openStore failed: No host\.$/,
    ],
    ...(
      [
        ['null', 'throw null', 'null.'],
        ['undefined', 'throw undefined', 'undefined.'],
        ['text', "throw 'No host.'", 'No host.'],
        ['empty text', "throw ''", 'an empty text was thrown.'],
        [
          'plain object',
          "throw { status: 401, headers: { secret: 'a' } }",
          'an object without a message was thrown.',
        ],
        ['object like an error', "throw { message: 'No host' }", 'No host.'],
        [
          'object without a prototype',
          'throw Object.create(null)',
          'an object without a message was thrown.',
        ],
        ['error without a message', 'throw new TypeError()', 'TypeError without a message.'],
        [
          'several lines',
          "throw new Error('No host.\\n\\n  at line 1\\u001b[31m\\u0007 red')",
          'No host. at line 1 red.',
        ],
        ['cause', "throw new Error('Not open', { cause: new Error('No host') })", 'Not open: No host.'],
        [
          'several errors',
          "await Promise.any([Promise.reject(new Error('No IPv4')), Promise.reject(new Error('No IPv6'))])",
          'All promises were rejected: No IPv4; No IPv6.',
        ],
        ['errors alone', "throw new AggregateError([new Error('No IPv4'), 'a text'])", 'No IPv4; a text.'],
        ['long text', "throw new Error('x'.repeat(10_000))", `${'x'.repeat(300)}… (shortened).`],
      ] as const
    ).map(([what, body, reason]): readonly [string, string, RegExp] => [
      `${what.replaceAll(' ', '-')}.ts`,
      `${version}export const openStore = async () => { ${body}; };`,
      new RegExp(`^whose openStore failed: ${RegExp.escape(reason)}$`),
    ]),
    [
      'sync.ts',
      `${version}export const openStore = () => { throw new Error('No host.'); };`,
      /^whose openStore failed: No host\.$/,
    ],
  ];

  before(() => write('syntax-of.ts', '// A file\n\nexport const = 1;'));

  it('is rejected in one line with setting, file and remedy', async () => {
    for (const [name, text, expected] of faults) {
      const error = await openError(name, text);
      expect(error, name).to.be.instanceOf(SettingError);
      const { message } = error as SettingError;
      const start = `PERSISTENCE_ADAPTER names ${place(name)}, `;
      expect(message.slice(0, start.length)).to.equal(start);
      expect(message.slice(start.length), name)
        .to.match(expected)
        .and.to.match(/^[^\n]+\.$/);
    }
  });

  it('shows no secret of its URL in an error, but the stack of what was thrown for LOG_LEVEL=debug', async () => {
    const url = 'libsql://ada:p%40ss-word@db.example/shop?authToken=a-token&mode=fast';
    for (const [name, factory] of [
      [
        'secret.ts',
        "throw new Error('Cannot reach ' + url + ', nor ' + decodeURIComponent(url) + ' in mode fast.')",
      ],
      [
        'secret-unavailable.ts',
        "throw new UnavailableError('database-unavailable', new Error('Cannot\\nreach ' + url + ' in mode fast.'))",
      ],
    ] as const) {
      const file = write(
        name,
        `${version}import { UnavailableError } from 'portico/application';
        export const openStore = ({ url }) => { ${factory}; };`,
      );
      const module = findAdapterModule('PERSISTENCE_ADAPTER', file);
      const error = await customKind(module)
        .open({ url })
        .catch((thrown: unknown) => thrown);
      const [line = '', ...others] = errorLines(error);
      expect(line).to.match(/Cannot reach libsql:\/\/.*db\.example\/shop\?authToken=….* in mode fast/);
      expect(others).to.deep.equal([]);
      expect(inspect(error)).to.not.match(/p%40ss|p@ss|a-token/);
    }
    const { LOG_LEVEL } = process.env;
    Object.assign(process.env, { LOG_LEVEL: 'debug' });
    try {
      const error = await openError(
        'stack.ts',
        `${version}export const openStore = () => { throw new Error('No host.'); };`,
      );
      expect(errorLines(error).slice(0, 3).join('\n')).to.match(
        /failed: No host\.\nError: No host\.\n +at openStore /,
      );
    } finally {
      Reflect.deleteProperty(process.env, 'LOG_LEVEL');
      Object.assign(process.env, LOG_LEVEL === undefined ? {} : { LOG_LEVEL });
    }
  });

  it('is rejected when its factory does not settle within a minute, and closed when it settles late', async () => {
    const seen = globalThis as { resolveLate?: (adapter: object) => void };
    const file = write(
      'never.ts',
      `${version}export const openStore = () => new Promise((resolve) => { globalThis.resolveLate = resolve; });`,
    );
    const module = findAdapterModule('PERSISTENCE_ADAPTER', file);
    await import(module.url);
    const time = new SimulatedTime();
    try {
      const begun = time.now;
      const opened = openAdapter(module, {}, {}).catch((thrown: unknown) => thrown);
      await turnsUntil(() => seen.resolveLate !== undefined);
      const error = await time.settle(opened, 120_000, 100);
      expect(time.now - begun).to.be.closeTo(60_000, 200);
      expect(error).to.be.instanceOf(SettingError);
      expect(String(error)).to.match(/whose openStore is not done after 60 s\. Let it resolve, or reject/);
    } finally {
      time.end();
    }
    await new Promise<void>((resolve) => seen.resolveLate?.({ close: resolve }));
    delete seen.resolveLate;
  });

  it('may take as long as its caller allows, where that applies long migrations', async () => {
    const file = write(
      'endless.ts',
      `${version}export const openStore = () => new Promise(() => undefined);`,
    );
    const kind = customKind(findAdapterModule('PERSISTENCE_ADAPTER', file));
    const error = await kind.open({ url: '' }, { timeoutMs: 2 }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('whose openStore is not done after 0.002 s.');
  });

  it('may say that the store is unavailable, in the words of another copy too', async () => {
    const text = `${version}import { UnavailableError } from 'portico/application';
      export const openStore = () => { throw new UnavailableError('database-unavailable'); };`;
    expect(await openError('away.ts', text)).to.be.instanceOf(UnavailableError);
  });

  it('has what it opened closed, when a part is missing', async () => {
    const closing = (close: string) =>
      `${version}export const openStore = () => ({ close: async () => { globalThis.closed = true; ${close} } });`;
    const seen = globalThis as { closed?: boolean };
    const time = new SimulatedTime();
    for (const [name, close] of [
      ['partial.ts', ''],
      ['partial-throwing.ts', "throw new Error('Not open.');"],
      ['partial-hanging.ts', 'await new Promise(() => undefined);'],
    ] as const) {
      delete seen.closed;
      const error = openError(name, closing(close));
      await turnsUntil(() => seen.closed === true);
      expect(String(await time.settle(error, 1_050, 10))).to.include('with unitOfWork, an object.');
      expect(seen.closed, name).to.equal(true);
    }
    time.end();
    delete seen.closed;
  });

  it('may be an instance of a class, and has defaults for what it leaves out', async () => {
    const store = await open(
      'class.ts',
      `${version}import { openMemory } from 'portico/adapters/memory';
      class Mine {
        #memory; #url;
        constructor(memory, url) { this.#memory = memory; this.#url = url; }
        get unitOfWork() { return this.#memory.unitOfWork; }
        async schema() { return { pending: [this.#url], unknown: [] }; }
        async close() { await this.#memory.close(); }
      }
      export const openStore = async ({ url }) => new Mine(await openMemory(), url);`,
    );
    const { schema, now, queueDelay, quotas, isNew, connections } = store;
    expect(await schema()).to.deep.equal({ pending: ['my:shop'], unknown: [] });
    const before = Date.now();
    expect(await now()).to.be.within(before, Date.now());
    expect({ delay: queueDelay('change'), quotas, isNew, connections }).to.deep.equal({
      delay: 0,
      quotas: undefined,
      isNew: false,
      connections: undefined,
    });
    expect(await store.sandboxLedger.keep('a', 'paid')).to.equal('paid');
    await store.close();
  });

  it('numbers events behind their commit where its store has a sequencer', async () => {
    const { numberEvents } = await open(
      'numbering.ts',
      `${version}import { openMemory } from 'portico/adapters/memory';
      class Numbering {
        #batch = { numbered: 3, hasMore: false };
        constructor(memory) { this.unitOfWork = memory.unitOfWork; }
        async numberEvents() { return this.#batch; }
        async close() {}
      }
      export const openStore = async () => new Numbering(await openMemory());`,
    );
    expect(await numberEvents?.()).to.deep.equal({ numbered: 3, hasMore: false });
  });

  it('counts as unready by default while the store does not respond', async () => {
    const { schema } = await open(
      'silent.ts',
      `${version}import { UnavailableError } from 'portico/application';
      const read = () => Promise.reject(new UnavailableError('database-unavailable'));
      export const openStore = () => ({ unitOfWork: { run: read, read }, close: async () => undefined });`,
    );
    expect(await schema().catch((error: unknown) => error)).to.be.instanceOf(UnavailableError);
  });

  it('may throw errors that have numbers of their own, which a command prints', async () => {
    const own = `const fail = async () => {
        throw Object.assign(new Error('statement is not safe'), { code: 'ER_UNSAFE', errno: 1665, sqlState: 'HY000' });
      };
      export const openStore = () => ({ unitOfWork: { run: fail, read: fail }, close: async () => undefined });`;
    const module = write('numbers.ts', version + own);
    const { code, errors } = await runHere(['keys', 'list'], { PERSISTENCE_ADAPTER: module });
    expect(errors)
      .to.match(/^portico: Error: statement is not safe$/m)
      .and.not.contain('RangeError');
    expect(code).to.equal(1);
  });
});

describe('An adapter that ships with Portico', () => {
  it('names its optional package when that is not installed', async () => {
    const name = 'a-driver-that-is-absent';
    const kind = { product: 'MariaDB', optionalPackage: name };
    const error = await withOptionalPackage(kind, () => import(name)).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SettingError);
    expect((error as Error).message).to.equal(
      `DATABASE_URL names a MariaDB database, which needs the package ${name}. Run npm install ${name}.`,
    );
    const other = await withOptionalPackage(kind, () => import('./absent.ts' as string)).catch(String);
    expect(other).to.include('absent.ts');
  });
});
