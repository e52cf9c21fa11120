import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { Client } from '../http/support/client.ts';
import { Program } from '../lab/program.ts';
import { askForKeys } from './ask-for-keys.ts';

describe('The demonstration keys of a program', () => {
  it('are neither printed nor logged', async () => {
    const port = `${await freePort()}`;
    const environment = {
      DATABASE_URL: 'memory:',
      SEED_DEMO: '1',
      PORT: '0',
      OPS_PORT: port,
      SHUTDOWN_DRAIN_MS: '0',
      LOG_LEVEL: 'trace',
    };
    const program = new Program('bootstrap/main.mjs', { environment });
    try {
      await program.printed(/Portico serves/);
      const url = `http://127.0.0.1:${port}`;
      const { keys } = await askForKeys(url);
      expect(Object.keys(keys)).to.have.members(['customer', 'admin']);
      await new Client(() => url, keys.admin).get('/v1/users');
      program.signal('SIGTERM');
      await program.ended();
      for (const key of Object.values<string>(keys)) {
        expect(program.output + program.errors).not.to.include(key.slice(-30));
      }
    } finally {
      await program.kill();
    }
  });
});
