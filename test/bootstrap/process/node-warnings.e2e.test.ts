import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { ending, portico } from '../support/portico.ts';
import { startServer } from '../support/server.ts';

const preloaded = fileURLToPath(new URL('warning.mjs', import.meta.url));

const linesIn = (said: string): string[] => said.split('\n').slice(0, -1);

describe('A warning of Node', () => {
  it('is one log line of a server, once, and without secrets', async () => {
    const { program } = await startServer({ DATABASE_URL: 'memory:' }, { flags: ['--import', preloaded] });
    const before = program.errors.length;
    program.signal('SIGUSR2');
    const said = await until(
      async () => program.errors.slice(before),
      (text) => linesIn(text).length >= 2,
    );
    program.signal('SIGTERM');
    await program.ended();
    expect(program.errors.slice(before)).to.equal(said);
    const lines = linesIn(said).map((line) => JSON.parse(line));
    expect(lines.map(({ level, msg, warning }) => [level, msg, warning])).to.deep.equal([
      [40, 'Take care of postgres://ada:…@shop/db', 'DeprecationWarning'],
      [40, 'Something else.', 'Warning'],
    ]);
  });

  it('is a log line of a start that fails, too', async () => {
    const database = await freshDatabase();
    const settings = { DATABASE_URL: `${database.url}?sslmode=require`, PORT: '0', OPS_PORT: '0' };
    const { code, errors } = await ending(portico(['start'], { settings }));
    await database.drop();
    expect(code).to.equal(1);
    const [warning = '', reason, ...others] = linesIn(errors);
    expect(JSON.parse(warning)).to.include({ level: 40, warning: 'Warning' });
    expect(JSON.parse(warning).msg).to.match(/^SECURITY WARNING: The SSL modes /);
    expect(reason).to.match(/^portico: /);
    expect(others).to.deep.equal([]);
  });

  it('is printed by Node for a command', async () => {
    const settings = { DATABASE_URL: 'postgres://ada@127.0.0.1:1/shop?sslmode=require' };
    const { errors } = await ending(portico(['migrate', 'status'], { settings }));
    expect(errors).to.match(/^\(node:\d+\) Warning: SECURITY WARNING: /m);
  });
});
