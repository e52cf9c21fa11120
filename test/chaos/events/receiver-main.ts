// A receiver that acknowledges, and sometimes dies at once. It is also killed from outside.
import { Random } from '#test/support/random.ts';
import { Receiver } from './receiver.ts';

const [port, file, secret] = process.argv.slice(2) as [string, string, string];
const random = new Random(process.pid);
const receiver = new Receiver({
  ...{ behaviour: 'well', file, port: Number(port), random },
  onAnswered: () => {
    if (random.chance(0.02)) process.kill(process.pid, 'SIGKILL');
  },
});
receiver.secret = secret;
await receiver.listen();
