import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { atExit } from '../support/at-exit.ts';
import { startFlags } from '../support/start-flags.ts';
import { environment } from './dockerfile.ts';

type Settings = Readonly<Record<string, string>>;

/** The uid of the image's user. */
const user = '10001';

/** Remounts everything read-only except the one folder. */
const readOnly = `
  mount --make-rprivate / && mount --bind "$DATA" "$DATA" && mount -o remount,bind,ro / &&
  for place in /tmp /var /dev/shm /run; do
    if mountpoint -q $place; then mount -o remount,bind,ro $place; fi
  done &&
  exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

const canIsolate =
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', 'mount --make-rprivate /']).status === 0;

/** How close to a container the tests can get on this machine. */
export const isolation = canIsolate
  ? 'as process 1, as another user, on a read-only file system'
  : 'from read-only folders (this machine allows no namespaces)';

const firstChildOf = (id: number): number | undefined => {
  const [first = ''] = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ');
  return first === '' ? undefined : Number(first);
};

/** A process of the image's tree, with the image's environment and further settings. */
export class Contained {
  readonly #child: ChildProcess;
  readonly #end: Promise<unknown>;
  output = '';
  errors = '';

  /** @param data the only writable folder */
  constructor(tree: string, data: string, settings: Settings, words: readonly string[] = ['start']) {
    const command = [`${tree}/node`, ...startFlags, `${tree}/bootstrap/portico.mjs`, ...words];
    const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', readOnly, 'sh'];
    const { PATH } = process.env;
    const env = { PATH, ...environment, ...settings, DATA: data };
    this.#child = canIsolate
      ? spawn('unshare', [...isolated, ...command], { cwd: tree, env })
      : spawn(command[0] ?? '', command.slice(1), { cwd: tree, env });
    this.#child.stdout?.on('data', (text) => {
      this.output += text;
    });
    this.#child.stderr?.on('data', (text) => {
      this.errors += text;
    });
    this.#end = once(this.#child, 'close').then(atExit(() => this.#signalKill()));
  }

  /** Sends the signal of `docker stop` to process 1. */
  stop(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('It did not start.');
    const first = canIsolate ? firstChildOf(pid) : pid;
    if (first !== undefined) process.kill(first, signal);
  }

  async ended(): Promise<number | null> {
    await this.#end;
    return this.#child.exitCode;
  }

  /** Kills it. As another user it survives the process that isolates it. */
  async kill(): Promise<void> {
    this.#signalKill();
    await this.#end;
  }

  #signalKill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.stop('SIGKILL');
    this.#child.kill('SIGKILL');
  }
}
