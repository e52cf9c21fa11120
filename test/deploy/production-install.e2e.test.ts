import { expect } from 'chai';
import { installStripe } from '#bootstrap/composition/ports/open-provider.ts';
import { installation } from '../bench/figures.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { until } from '../support/until.ts';
import { Contained } from './container.ts';
import { textOf } from './files.ts';
import { makeTree } from './image-tree.ts';

describe('The packages of `npm ci --omit=dev`', () => {
  const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };
  let tree: string;
  let data: string;
  let remove: () => void;
  let contained: Contained | undefined;

  before(() => {
    ({ tree, data, remove } = makeTree());
  });
  afterEach(async () => {
    await contained?.kill();
    contained = undefined;
  });
  after(() => remove());

  const start = (settings: Readonly<Record<string, string>>, words?: readonly string[]): Contained => {
    const besides = { TRUST_PROXY: '1', OPS_PORT: '0', DATABASE_URL: 'memory:' };
    contained = new Contained(tree, data, { ...besides, ...settings }, words);
    return contained;
  };

  it('stay below the limits of count and size', () => {
    for (const { name, seen, limit } of installation()) expect(seen, name).to.be.within(1, limit);
  });

  it('are enough to serve', async () => {
    const process = start({ PORT: `${await freePort()}` });
    const said = () => process.output + process.errors;
    await until(
      async () => said(),
      (text) => /^Portico serves /.test(text),
      30_000,
    );
  });

  it("do not include Stripe's package: the start prints the command that adds it in one line", async () => {
    const process = start({ PORT: '0', ...stripe });
    expect(await process.ended()).to.equal(1);
    expect(process.errors).to.equal(
      `portico: PAYMENT_PROVIDER is stripe, whose package is not installed: run ${installStripe} in ${tree}.\n`,
    );
  });

  it('make the doctor report the missing package with the same command', async () => {
    const process = start({ PORT: '0', ...stripe }, ['doctor', '--json']);
    expect(await process.ended()).to.equal(1);
    expect(JSON.parse(process.output)).to.deep.include({
      check: 'provider',
      state: 'fail',
      says: 'the stripe package is not installed',
      remedy: `Run ${installStripe} in ${tree}.`,
    });
  });

  it('accept one version of each optional package, which the tests use, and the docs name that of Stripe', () => {
    const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(textOf('package.json'));
    const { packages } = JSON.parse(textOf('package-lock.json'));
    expect(peerDependencies).to.include.keys('stripe');
    for (const [name, version] of Object.entries(peerDependencies)) {
      expect(version, name).to.equal(devDependencies[name]);
      expect(peerDependenciesMeta[name], name).to.deep.equal({ optional: true });
      expect(packages[`node_modules/${name}`].version, name).to.equal(version);
    }
    for (const file of ['docs/operations/deploy.md', 'docs/deploy/portico.service']) {
      expect(textOf(file), file).to.include(installStripe);
    }
  });
});
