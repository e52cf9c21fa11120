import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { forEachCase } from '../support/for-each-case.ts';

const operations = globSync('docs/operations/*.md')
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n');

/** The messages of warnings and errors in a source: of `log.warn(…)`, `observer.warn(…)`, and of `warn(…)` for a log. */
const messagesIn = (source: string): readonly string[] =>
  [
    ...source.matchAll(
      /\b(?:log\??\.(?:warn|error|fatal|report)|observer\.warn|(?<!\.)warn)\(\s*(?:'\w+',\s*)?(?:(?:\{[^}]*\}|fields),\s*)?(['`])([A-Z].+?)\1/g,
    ),
  ].map(([, , message = '']) => message);

/** The reasons of a table of warnings, such as `unanswered`. */
const reasonsIn = (source: string): readonly string[] =>
  [...source.matchAll(/Record<[^;{}]*string>> = \{(.*?)^\};/gms)].flatMap(([, table = '']) =>
    [...table.matchAll(/^ {2}'?([a-z][\w-]*)'?:/gm)].map(([, reason = '']) => reason),
  );

/** What is the same in each line: the first sentence, up to what is filled in. */
const constantPart = (message: string): string => /^(?:[^.$]|\$(?!\{))+/.exec(message)?.[0] ?? '';

describe('The log lines of level warn and above', () => {
  const sources = globSync([
    'bootstrap/{composition,process}/**/*.ts',
    'bootstrap/cli/commands/start.ts',
    'adapters/system/lasting-faults.ts',
    'adapters/payment/**/*.ts',
    'adapters/webhooks/**/*.ts',
    'application/**/*.ts',
  ]).map((file) => ({ file, source: readFileSync(file, 'utf8') }));

  const lines = sources.flatMap(({ file, source }) =>
    messagesIn(source).map((message) => ({ file, message })),
  );
  it('are found in the sources', () => {
    expect(lines.length).to.be.at.least(12);
    expect(lines.map(({ message }) => message)).to.include('A request failed.');
  });

  it('are explained for operators', () =>
    forEachCase(lines, ({ message }) => {
      expect(operations).to.include(constantPart(message));
    }));

  const tables = sources.flatMap(({ file, source }) =>
    file.endsWith('composition/reports.ts') ? reasonsIn(source).map((reason) => ({ file, reason })) : [],
  );
  it('have a reason where one message would not do', () => {
    expect(tables.map(({ reason }) => reason)).to.include('refund-failed-late');
  });

  it('have what to do for operators', () =>
    forEachCase(tables, ({ reason }) => {
      expect(operations).to.match(new RegExp(`^\\| \`${reason}\` \\| .+ \\|$`, 'm'));
    }));

  it('are alerts that operators find explained', () => {
    const rules = readFileSync('docs/deploy/prometheus-alerts.yaml', 'utf8');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, alert = '']) => alert);
    expect(alerts.length).to.be.at.least(15);
    for (const alert of alerts)
      expect(operations).to.match(new RegExp(`^\\|.*\`${alert}\`.* \\| .+ \\|$`, 'm'));
  });

  it('are alerts whose runbook is their row on the page of a bad night', () => {
    const rules = readFileSync('docs/deploy/prometheus-alerts.yaml', 'utf8');
    for (const rule of rules.split('- alert: ').slice(1)) {
      const anchor = /^\w+/.exec(rule)?.[0].toLowerCase();
      const page = 'docs/operations/a-bad-night.md';
      expect(rule).to.match(new RegExp(`runbook_url: https://\\S+/${page}#${anchor}$`, 'm'));
      expect(readFileSync(page, 'utf8')).to.include(`<a id="${anchor}"></a>`);
    }
  });
});
