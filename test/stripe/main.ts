// A provider like Stripe on an address of its own, for tests: `node test/stripe/main.ts`. Its ledger lives as long as it
// does. One line says where it is; /control/... says how it is to behave.
import type { AddressInfo } from 'node:net';
import { startServer } from './server.ts';

const { PORT = '0' } = process.env;
const server = await startServer(Number(PORT));
const { port } = server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);

// The parent process may end without a message.
process.on('disconnect', () => process.exit());
