import { expect } from 'chai';
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
});
