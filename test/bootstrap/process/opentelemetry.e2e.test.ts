import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { tea } from '../../http/support/shop.ts';
import { Program } from '../../lab/program.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startServer } from '../support/server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const preload = ['--import', join(root, 'bootstrap/process/opentelemetry.mjs')];
const wrong = { OTEL_TRACES_EXPORTER: 'zipkin' };

/** The SQL statements in the spans of a trace. */
const statementsOf = (program: Program, trace: string): string => {
  const spans = program.output.split('\n{\n').filter((span) => span.includes(`traceId: '${trace}'`));
  return spans.flatMap((span) => span.match(/'db\.statement': .+?,\n/s) ?? []).join('');
};

describe('Tracing', () => {
  const place = temporaryFolder();

  it('exports spans with routes and without secrets when it is preloaded', async () => {
    const password = 'canaryOfTheDatabase0123';
    const database = await freshDatabase();
    const url = new URL(database.url);
    url.password = password;
    const settings = { OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'tea-shop', LOG_LEVEL: 'info' };
    const { program, client } = await startServer(
      { DATABASE_URL: url.href, ...settings },
      { flags: preload },
    );
    try {
      const trace = '0af7651916cd43dd8448eb211c80319c';
      const traceparent = `00-${trace}-b7ad6b7169203331-01`;
      const secret = 'canary-in-the-wrong-place';
      await client.get('/v1/products?limit=5', { traceparent, 'X-Request-Id': 'traced' });
      const writeTrace = '1af7651916cd43dd8448eb211c80319c';
      await client.post('/v1/products', tea, { traceparent: `00-${writeTrace}-b7ad6b7169203331-01` });
      await client.get(`/v1/${secret}?token=${secret}`, { Cookie: secret, 'X-Api-Key': secret });
      await client.get(`/v1/products?limit=${secret}`);
      await new Client(() => client.base, secret).get('/v1/products');
      const [line] = await program.printed(/^.*"requestId":"traced".*(?=\n)/m, { on: 'errors' });
      expect(JSON.parse(line).traceId).to.equal(trace);
      program.signal('SIGTERM');
      expect(await program.ended()).to.equal(0);
      expect(program.output).to.include("'service.name': 'tea-shop'");
      const spans = program.output.split('\n{\n').filter((span) => span.includes(trace));
      const requestSpan = spans.find((span) => span.includes('instrumentation-http'));
      expect(requestSpan).to.include("'http.route': '/v1/products'").and.include("'http.status_code': 200");
      expect(requestSpan).to.include('isRemote: true');
      expect(statementsOf(program, trace)).to.match(/select [^\n]+ from "?products"?/);
      expect(statementsOf(program, writeTrace)).to.match(/insert into "?products"?/);
      for (const canary of [password, secret, `${client.token}`]) {
        expect(program.output + program.errors).not.to.include(canary);
      }
    } finally {
      await program.kill();
      await database.drop();
    }
  });

  it('loads nothing of OpenTelemetry without the preload', async () => {
    const loaded = join(place(), 'loaded.mjs');
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (name.includes('telemetry') && name !== '@opentelemetry/api') process.stderr.write('loaded ' + name);
        return next(name, context);
      } });`;
    await mkdir(place(), { recursive: true });
    await writeFile(loaded, hook);
    const { program, client } = await startServer(
      { DATABASE_URL: 'memory:' },
      { flags: ['--import', loaded] },
    );
    expect((await client.get('/v1/products')).status).to.equal(200);
    await program.kill();
    expect(program.errors).to.equal('');
  });

  it('ends the start with one line when it cannot work', async () => {
    await cp(join(root, 'bootstrap/process/opentelemetry.mjs'), place('opentelemetry.mjs'));
    const missing = new Program('bootstrap/main.mjs', { flags: ['--import', place('opentelemetry.mjs')] });
    expect(await missing.ended()).to.equal(1);
    expect(missing.errors).to.match(
      /^portico: Tracing needs packages that are not installed\. Run npm install --no-save --save-prod --omit=dev @[^\n]+\n$/,
    );
    const unknown = new Program('bootstrap/main.mjs', { environment: wrong, flags: preload });
    expect(await unknown.ended()).to.equal(1);
    expect(unknown.errors).to.equal('portico: OTEL_TRACES_EXPORTER must be one of none, console, otlp.\n');
  });

  it('is still found at its former path', async () => {
    const former = ['--import', join(root, 'bootstrap/telemetry.mjs')];
    const unknown = new Program('bootstrap/main.mjs', { environment: wrong, flags: former });
    expect(await unknown.ended()).to.equal(1);
    expect(unknown.errors).to.match(/OTEL_TRACES_EXPORTER must be one of/);
  });

  it('names the packages at the versions that the tests run with', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const installed = Object.entries(devDependencies)
      .filter(([name]) => name.startsWith('@opentelemetry/'))
      .map(([name, version]) => `${name}@${version}`);
    const named = readFileSync(join(root, 'bootstrap/process/opentelemetry.mjs'), 'utf8').match(
      /'@opentelemetry\/[^']+@[^']+'/g,
    );
    expect(named?.map((name) => name.slice(1, -1)).sort()).to.deep.equal(installed.sort());
  });
});
