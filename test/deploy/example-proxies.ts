import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { certificate } from '../http/support/certificate.ts';
import { killAtExit } from '../support/at-exit.ts';
import { textOf, uncommented } from './files.ts';
import { programs } from './programs.ts';

const { certFile, keyFile } = certificate;

/** The ports of the machine, in place of those of the example. */
export interface Ports {
  readonly proxy: number;
  readonly api: number;
  readonly events: number;
  readonly pages: number;
  /** Of `/readyz`; the port of the API when undefined. */
  readonly health?: number;
}

const exampleOf = (file: string): string => uncommented(textOf(`docs/deploy/${file}`));

interface Proxy {
  readonly program: string;
  /** Writes the example with these ports. @returns the arguments of the program */
  readonly start: (place: (...names: string[]) => string, ports: Ports) => string[];
}

/** The examples with all their lines, as they run on this machine. */
export const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: programs.nginx,
    start: (place, { proxy, api, events, pages }) => {
      const example = exampleOf('nginx.conf')
        .replace('/etc/ssl/portico/fullchain.pem', certFile)
        .replace('/etc/ssl/portico/key.pem', keyFile)
        // In the words of nginx before 1.25.1, which later ones know, too.
        .replaceAll(/^ *http2 on;\n/gm, '')
        .replace('listen 443 ssl;', `listen 127.0.0.1:${proxy} ssl http2;`)
        .replace('listen [::]:443 ssl;', '')
        .replace(/\nserver \{\s+listen 80;[^}]*\}/, '')
        .replaceAll(/127\.0\.0\.1:300[01]\b/g, `127.0.0.1:${api}`)
        .replaceAll(/127\.0\.0\.1:310[01]\b/g, `127.0.0.1:${events}`)
        .replaceAll(/127\.0\.0\.1:8080\b/g, `127.0.0.1:${pages}`);
      mkdirSync(place('nginx'), { recursive: true });
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${place('nginx', name)};`)
        .join('\n');
      const user = process.getuid?.() === 0 ? 'user root;\n' : '';
      const whole = `${user}pid ${place('nginx', 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${example}\n}\n`;
      writeFileSync(place('nginx.conf'), whole);
      return ['-g', 'daemon off;', '-e', 'stderr', '-c', place('nginx.conf')];
    },
  },
  HAProxy: {
    program: programs.haproxy,
    start: (place, { proxy, api, events, pages, health = api }) => {
      writeFileSync(place('both.pem'), readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
      const example = exampleOf('haproxy.cfg')
        .replace('/etc/ssl/portico/both.pem', place('both.pem'))
        .replace('bind :443', `bind 127.0.0.1:${proxy}`)
        .replaceAll(/127\.0\.0\.1:300[01]\b/g, `127.0.0.1:${api}`)
        .replaceAll(/127\.0\.0\.1:310[01]\b/g, `127.0.0.1:${events}`)
        .replaceAll(/127\.0\.0\.1:8080\b/g, `127.0.0.1:${pages}`)
        .replaceAll(/check port 909[01]\b/g, `check port ${health}`);
      writeFileSync(place('haproxy.cfg'), example);
      return ['-db', '-f', place('haproxy.cfg')];
    },
  },
  Caddy: {
    program: programs.caddy,
    start: (place, { proxy, api, events, pages }) => {
      const example = exampleOf('Caddyfile')
        .replace('{$SITE:localhost} {', `https://127.0.0.1:${proxy} {\n\ttls ${certFile} ${keyFile}`)
        .replaceAll(/portico-[12]:3000\b/g, `127.0.0.1:${api}`)
        .replaceAll(/portico-1:3100 portico-2:3100\b/g, `127.0.0.1:${events}`)
        .replaceAll(/portico-1:8080\b/g, `127.0.0.1:${pages}`);
      const options = '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n';
      writeFileSync(place('Caddyfile'), options + example);
      return ['run', '--adapter', 'caddyfile', '--config', place('Caddyfile')];
    },
  },
};

/**
 * Starts a proxy for as long as something uses it.
 * @param place of its files
 * @param use gets what the proxy has said until now
 */
export const withProxy = async (
  { program, start }: Proxy,
  place: (...names: string[]) => string,
  ports: Ports,
  use: (said: () => string) => Promise<void>,
): Promise<void> => {
  let said = '';
  const child = spawn(program, start(place, ports), {
    env: { HOME: place() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      said += bytes;
    });
  try {
    await use(() => said);
  } finally {
    if (child.kill('SIGTERM')) await once(child, 'exit');
  }
};
