// A provider like Stripe in a process of its own, for tests: `node test/stripe/main.ts`. Its state ends with the process. It prints
// its address as a line of JSON. `StripeProcess` starts it and gives it orders; `sdk/` holds it to Stripe's documentation.
import type { AddressInfo } from 'node:net';
import { Control } from './control.ts';
import { startServer } from './server.ts';

const { PORT = '0' } = process.env;
const server = await startServer(new Control(), Number(PORT));
const { port } = server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);

// The parent process may end without a message.
process.on('disconnect', () => process.exit());
