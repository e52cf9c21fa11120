import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { root } from '../lab/program.ts';
import { killAtExit } from './at-exit.ts';
import { productionPackages } from './production-packages.ts';

interface Installed {
  readonly name: string;
  readonly version: string;
}

const manifestOf = (path: string): Installed =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));

/** Sends an installed package as npm packs it, without those nested in it. */
const sendTarball = (path: string, response: ServerResponse): void => {
  const folder = join(root, path);
  const words = ['-cf', '-', '--exclude=node_modules', '-C', dirname(folder), basename(folder)];
  const tar = spawn('tar', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  killAtExit(tar);
  tar.stdout.pipe(response);
};

/**
 * A registry on this machine, from which npm installs the production packages of the clone as it does from the public one. Every
 * other package is unknown to it.
 */
export const openRegistry = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const installed = productionPackages().map((path) => ({ path, manifest: manifestOf(path) }));
  const server = createServer((request, response) => {
    const target = decodeURIComponent(request.url ?? '');
    const [, wanted] = /^\/-\/(.+)\.tgz$/.exec(target) ?? [];
    const found = installed.filter(({ manifest }) => `/${manifest.name}` === target);
    if (wanted !== undefined) sendTarball(wanted, response);
    else if (found.length === 0) response.writeHead(404).end('{}');
    else {
      const [latest] = found;
      const versions = found.map(({ path, manifest }) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${url}-/${encodeURIComponent(path)}.tgz` } },
      ]);
      response.end(
        JSON.stringify({
          name: latest?.manifest.name,
          'dist-tags': { latest: latest?.manifest.version },
          versions: Object.fromEntries(versions),
        }),
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The registry has no port.');
  const url = `http://127.0.0.1:${address.port}/`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
