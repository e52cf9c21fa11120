import { expect } from 'chai';
import { textOf, uncommented } from './files.ts';

describe('The example for', () => {
  const offByDefault = [
    ['pages listener', [/8080/, /openapi/]],
    ['listener for events', [/3100/, /\/provider-events/]],
  ] as const;
  for (const file of ['nginx.conf', 'haproxy.cfg', 'Caddyfile'])
    for (const [listener, words] of offByDefault)
      it(`${file} sends nothing to the ${listener}, which is off by default, until lines are uncommented`, () => {
        const active = (text: string) => text.replaceAll(/^\s*#.*$/gm, '');
        const example = textOf(`docs/deploy/${file}`);
        for (const word of words) {
          expect(active(example)).not.to.match(word);
          expect(active(uncommented(example))).to.match(word);
        }
      });

  for (const [name, line] of [
    ['nginx.conf', /proxy_set_header X-Forwarded-Proto \$scheme;/],
    ['haproxy.cfg', /http-request set-header X-Forwarded-Proto https/],
  ] as const) {
    it(`${name} replaces the client’s forwarding headers`, () => {
      expect(textOf(`docs/deploy/${name}`)).to.match(line);
    });
  }
});
