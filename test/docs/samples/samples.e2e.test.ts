import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Sample, type SampleRequest, samplesOf } from '#adapters/ops/docs/samples/index.ts';
import { operations } from '../../http/support/described.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { examples, hostile, meant, requestOf, type Values } from './meant.ts';
import { startRecorder } from './recorder.ts';

const run = promisify(execFile);

/** How the samples of a language are run: all by one process, one after the other. */
const runners: Readonly<
  Record<Sample['language'], (texts: readonly string[], folder: string) => Promise<unknown>>
> = {
  curl: (texts, cwd) => run('sh', ['-euc', texts.join('\n')], { cwd }),
  typescript: async (texts, cwd) => {
    writeFileSync(`${cwd}/package.json`, '{"type":"module"}');
    mkdirSync(`${cwd}/node_modules`, { recursive: true });
    symlinkSync(process.cwd(), `${cwd}/node_modules/portico`);
    const files = texts.map((text, index) => write(cwd, `${index}.ts`, text));
    const all = write(cwd, 'all.mjs', files.map((file) => `await import('./${file}');`).join('\n'));
    await run(process.execPath, [all], { cwd });
  },
  python: async (texts, cwd) => {
    const files = texts.map((text, index) => write(cwd, `${index}.py`, text));
    const all = write(cwd, 'all.py', files.map((file) => `runpy.run_path('${file}')`).join('\n'));
    await run('python3', ['-c', `import runpy\nexec(open('${all}').read())`], { cwd });
  },
};

const write = (folder: string, name: string, text: string): string => {
  writeFileSync(`${folder}/${name}`, text);
  return name;
};

const programs = { curl: 'curl', typescript: process.execPath, python: 'python3' };

describe('The samples of the reference', () => {
  const place = temporaryFolder();
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  before(async () => {
    recorder = await startRecorder();
  });
  after(() => recorder.close());

  const textOf = (request: SampleRequest, language: Sample['language']): string =>
    samplesOf(request).find((sample) => sample.language === language)?.text ?? '';

  /** Runs the samples of one language. @returns the requests that arrived, with the headers that were meant */
  const sendAll = async (language: Sample['language'], name: string, requests: readonly SampleRequest[]) => {
    const folder = place(`${language}-${name}`);
    mkdirSync(folder);
    await runners[language](
      requests.map((request) => textOf(request, language)),
      folder,
    );
    expect(readdirSync(folder)).not.to.include('hacked');
    const arrived = recorder.take();
    expect(arrived).to.have.length(requests.length);
    return arrived.map((one, index) => {
      const names = Object.keys(meant(requests[index] as SampleRequest).headers);
      const headers = Object.fromEntries(names.map((header) => [header, one.headers[header]]));
      return JSON.stringify({ ...one, headers });
    });
  };

  const kinds: Readonly<Record<string, Values>> = { examples, hostile };
  for (const language of ['curl', 'typescript', 'python'] as const) {
    for (const [name, values] of Object.entries(kinds)) {
      it(`send what is meant, for every operation (${language}, ${name})`, async function () {
        const program = programs[language];
        // The reason is in the title that mocha shows as pending: the machine has no such program.
        if (spawnSync(program, ['--version']).status !== 0) return this.skip();
        const requests = operations.map((operation) => requestOf(operation, recorder.url, values));
        const arrived = await sendAll(language, name, requests);
        expect(arrived).to.deep.equal(requests.map((request) => JSON.stringify(meant(request))));
      });
    }
  }
});
