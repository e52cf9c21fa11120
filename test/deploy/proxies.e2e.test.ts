import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { certificate } from '../http/support/certificate.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { textOf, uncommented } from './files.ts';
import { has, programs } from './programs.ts';

const { nginx, haproxy, caddy } = programs;

/** The installed nginx may be older than the directive that the example uses, and names another for. */
const olderThan = (version: string): boolean => {
  const [, installed = ''] =
    /nginx\/([\d.]+)/.exec(spawnSync(nginx, ['-v'], { encoding: 'utf8' }).stderr) ?? [];
  return installed.localeCompare(version, 'en', { numeric: true }) < 0;
};

describe('The example for a proxy, checked by the program,', () => {
  const place = temporaryFolder();
  const { certFile, keyFile } = certificate;

  const variants = [
    ['', (text: string) => text],
    [', with the docs and the events of the provider', uncommented],
  ] as const;

  for (const [variant, chosen] of variants)
    it(`nginx is valid${variant}${has(nginx) ? '' : ' (skipped: nginx is not installed)'}`, function () {
      if (!has(nginx)) this.skip();
      const example = chosen(textOf('docs/deploy/nginx.conf'))
        .replace('/etc/ssl/portico/fullchain.pem', certFile)
        .replace('/etc/ssl/portico/key.pem', keyFile)
        .replaceAll(olderThan('1.25.1') ? /^ *http2 on;\n/gm : /^$/gm, '')
        // To check a configuration, nginx binds its ports, and low ports need privileges.
        .replaceAll(
          /listen (\S*(?:443|80))\b/g,
          (_, port) => `listen unix:${place('nginx', encodeURIComponent(port))}`,
        );
      mkdirSync(place('nginx'), { recursive: true });
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${place('nginx', name)};`)
        .join('\n');
      const whole = `pid ${place('nginx', 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${example}\n}\n`;
      writeFileSync(place('nginx.conf'), whole);
      const words = ['-t', '-q', '-e', 'stderr', '-c', place('nginx.conf')];
      const { status, stderr } = spawnSync(nginx, words, { encoding: 'utf8' });
      expect(stderr.replaceAll(/^.*the "user" directive.*\n/gm, '')).to.equal('');
      expect(status).to.equal(0);
    });

  for (const [variant, chosen] of variants)
    it(`HAProxy is valid${variant}${has(haproxy) ? '' : ' (skipped: HAProxy is not installed)'}`, function () {
      if (!has(haproxy)) this.skip();
      writeFileSync(place('both.pem'), readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
      const example = chosen(textOf('docs/deploy/haproxy.cfg')).replace(
        '/etc/ssl/portico/both.pem',
        place('both.pem'),
      );
      writeFileSync(place('haproxy.cfg'), example);
      const { status, stderr, stdout } = spawnSync(haproxy, ['-c', '-f', place('haproxy.cfg')], {
        encoding: 'utf8',
      });
      expect(status, stderr + stdout).to.equal(0);
      expect(stderr).not.to.match(/ALERT/);
    });

  for (const [variant, chosen] of variants)
    it(`Caddy is valid${variant}${has(caddy) ? '' : ' (skipped: Caddy is not installed)'}`, function () {
      if (!has(caddy)) this.skip();
      writeFileSync(place('Caddyfile'), chosen(textOf('docs/deploy/Caddyfile')));
      const words = ['adapt', '--validate', '--adapter', 'caddyfile', '--config', place('Caddyfile')];
      const { status, stderr } = spawnSync(caddy, words, { encoding: 'utf8', env: { HOME: place() } });
      expect(status, stderr).to.equal(0);
    });
});
