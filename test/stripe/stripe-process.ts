import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rejected, StripeServer } from './stripe-server.ts';

/** A provider like Stripe in a process of its own, where its state outlives the server under test. */
export class StripeProcess extends StripeServer {
  static override async start(): Promise<StripeProcess> {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, [main], {
      env: {},
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (child.stdout === null) throw new TypeError('A pipe was asked for.');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url } = JSON.parse(line);
    return new StripeProcess({
      url,
      order: async (method, what, details) => {
        const body = method === 'GET' ? null : JSON.stringify(details);
        const response = await fetch(`${url}/control/${what}`, { method, body });
        const text = await response.text();
        return response.ok ? JSON.parse(text) : rejected(what, response.status, text);
      },
      stop: async () => {
        const ended = once(child, 'exit');
        if (!child.kill('SIGKILL')) return;
        await ended;
      },
    });
  }
}
