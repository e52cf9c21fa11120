import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { Client } from '../http/support/client.ts';
import { newEndpoint, webhookSettings } from '../http/support/webhooks.ts';
import { collectGarbage } from '../support/garbage.ts';
import { Metrics } from '../support/metrics.ts';
import { freshDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const folder = new URL('../../docs/deploy/', import.meta.url);
const token = 'an-operator-key-that-is-long-enough-for-all';

/** Names and labels that Prometheus adds itself. */
const ofPrometheus = { names: ['up'], labels: ['instance', 'job', 'le'] };

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const expressions = (): { readonly where: string; readonly text: string }[] => {
  const rules = parse(readFileSync(new URL('prometheus-alerts.yaml', folder), 'utf8'));
  const alerts = rules.groups.flatMap((group: { readonly rules: readonly Rule[] }) =>
    group.rules.map(({ alert, expr }) => ({ where: alert, text: expr })),
  );
  const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
    readFileSync(new URL('grafana-dashboard.json', folder), 'utf8'),
  );
  const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, text: expr })),
  );
  return [...alerts, ...panels];
};

/** Tells metrics from functions and keywords. */
const isMetric = (name: string): boolean => /^(portico|process|nodejs)_/.test(name) || name === 'up';

describe('The dashboard and the alerts', () => {
  let exposed: Metrics;
  before(async () => {
    const database = await freshDatabase();
    const settings = {
      ...{ ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*' },
      ...{ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent', ADMIN_API_KEY: token },
    };
    const app = await startApp(readConfig({ ...settings, OPS_PORT: `${await freePort()}` }));
    const client = new Client(() => app.url, token);
    const product = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };
    await client.post('/v1/products', product, { 'Idempotency-Key': randomUUID() });
    await client.get('/v1/products');
    // The lag of an endpoint exists only where there is one. It receives nothing.
    await newEndpoint(client, { url: 'http://127.0.0.1:9/', event_types: ['dispute.*'] });
    // The garbage collection metrics exist only after a collection.
    collectGarbage();
    exposed = await until(
      () => Metrics.of(app.opsUrl ?? ''),
      (metrics) =>
        metrics.value('portico_database_up') === 1 &&
        metrics.series('nodejs_gc_duration_seconds_sum').length > 0 &&
        metrics.series('portico_webhook_lag_events').length > 0,
    );
    await app.close();
    await database.drop();
  });

  it('use only metrics, labels and values that a server exposes', () => {
    const all = expressions();
    expect(all.length).to.be.greaterThan(40);
    for (const { where, text } of all) {
      const metrics = [...text.matchAll(/\b([a-z][a-z0-9_]*)(?:\{([^}]*)\})?/g)].filter(([, name = '']) =>
        isMetric(name),
      );
      expect(metrics, `${where}: ${text}`).not.to.be.empty;
      const labels = new Set<string>(ofPrometheus.labels);
      for (const [, name = '', selector = ''] of metrics) {
        if (ofPrometheus.names.includes(name)) continue;
        const series = exposed.series(name);
        expect(series, `${name} in ${where}`).not.to.be.empty;
        const own = new Set(
          series.flatMap((one) => [...one.matchAll(/(\w+)="/g)].map(([, label = '']) => label)),
        );
        for (const label of own) labels.add(label);
        for (const [, label = '', value = ''] of selector.matchAll(/(\w+)=~?"([^"]*)"/g)) {
          if (ofPrometheus.labels.includes(label)) continue;
          expect([...own], `${label} of ${name} in ${where}`).to.include(label);
          // The series of a status exists only after a response with it.
          if (label === 'status') continue;
          const isThere = series.some((one) => new RegExp(`\\b${label}="(?:${value})"`).test(one));
          expect(isThere, `${label}="${value}" of ${name} in ${where}`).to.equal(true);
        }
      }
      for (const [, names = ''] of text.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of names.split(', ')) expect([...labels], `${label} in ${where}`).to.include(label);
      }
    }
  });

  it('show every metric of Portico, and so does the guide for operators', () => {
    const shown = expressions()
      .map(({ text }) => text)
      .join('\n');
    const guide = ['watch', 'a-bad-night', 'provider-events']
      .map((page) => readFileSync(new URL(`../operations/${page}.md`, folder), 'utf8'))
      .join('\n');
    for (const name of exposed.types.keys()) {
      if (!name.startsWith('portico_')) continue;
      expect(shown, name).to.include(name);
      expect(guide, name).to.include(`\`${name}\``);
    }
    // `portico_require` is a function in the database.
    for (const [, name = ''] of guide.matchAll(/`(portico_(?!require`)\w+)`/g)) {
      expect([...exposed.types.keys()], name).to.include(name);
    }
    for (const { where } of expressions().filter((one) => one.where.startsWith('Portico'))) {
      expect(guide, where).to.include(`\`${where}\``);
    }
  });
});
