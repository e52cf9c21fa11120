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
    expect(textOf('docs/deploy/nginx.conf')).to.match(/proxy_set_header X-Forwarded-Proto \$scheme;/);
    expect(textOf('docs/deploy/haproxy.cfg')).to.match(/http-request set-header X-Forwarded-Proto https/);
  });
});
