import { expect } from 'chai';
import { checkProxyTimeout } from '#bootstrap/cli/doctor/production/proxy.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { forEachCase } from '../support/for-each-case.ts';
import { textOf, uncommented } from './files.ts';

describe('The example for', () => {
  it('a proxy sends nothing to the listeners that are off by default, until lines are uncommented', () =>
    forEachCase(['nginx.conf', 'haproxy.cfg', 'Caddyfile'], (file) => {
      const active = (text: string) => text.replaceAll(/^\s*#.*$/gm, '');
      const example = textOf(`docs/deploy/${file}`);
      for (const word of [/8080/, /openapi/, /3100/, /\/provider-events/]) {
        expect(active(example)).not.to.match(word);
        expect(active(uncommented(example))).to.match(word);
      }
    }));

  it('replaces the client’s forwarding headers', () => {
    const settersOf = (file: string, name: RegExp) => textOf(`docs/deploy/${file}`).match(name) ?? [];
    expect(new Set(settersOf('nginx.conf', /proxy_set_header X-Forwarded-.*/g))).to.deep.equal(
      new Set([
        'proxy_set_header X-Forwarded-Proto $scheme;',
        'proxy_set_header X-Forwarded-For $remote_addr;',
      ]),
    );
    expect(settersOf('haproxy.cfg', /http-request .* X-Forwarded-.*/g)).to.deep.equal([
      'http-request set-header X-Forwarded-Proto https',
      'http-request set-header X-Forwarded-For %[src]',
    ]);
  });

  it('a proxy waits longer than a response may take, and so does the proxy of every example of doctor', () => {
    const examples = [
      ['docs/deploy/nginx.conf', /proxy_read_timeout (\d+)s/g],
      ['docs/deploy/haproxy.cfg', /timeout (?:server|client) (\d+)s/g],
      ['docs/deploy/Caddyfile', /response_header_timeout (\d+)s/g],
      ['docs/operations/go-live.md', /--proxy-timeout (\d+)s/g],
      ['docs/command-line.md', /--proxy-timeout (\d+)s/g],
    ] as const;
    for (const [file, pattern] of examples) {
      const limits = [...textOf(file).matchAll(pattern)];
      expect(limits, file).not.to.deep.equal([]);
      for (const [, seconds] of limits) {
        const [found] = checkProxyTimeout(readConfig({ TRUST_PROXY: '1' }), Number(seconds) * 1_000);
        expect(found, file).to.include({ state: 'ok' });
      }
    }
  });
});
