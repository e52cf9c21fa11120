import { expect } from 'chai';
import { settingsAsEnv, settingsAsMarkdown } from '#bootstrap/cli/commands/settings.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { settingGroups } from '#bootstrap/config/descriptions/all.ts';
import type { Json } from '../http/support/client.ts';
import { environment } from './dockerfile.ts';
import { documentsIn, environmentIn, textOf, yamlFiles } from './files.ts';

/** The names of all settings, recorded by a proxy in place of the environment. */
const settings = (): string[] => {
  const names = new Set<string>();
  for (const said of [{}, { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' }]) {
    const listening = new Proxy<Record<string, string>>(said, {
      get: (target, name) => {
        names.add(String(name));
        return Reflect.get(target, name);
      },
    });
    readConfig(listening);
  }
  return [...names].sort();
};

/** The settings that a YAML file gives to containers of Portico. */
const given = (file: string): string[] =>
  documentsIn(file).flatMap((document) => {
    const ofCompose = Object.values(document.services ?? {})
      .filter((service: Json) => service.image.startsWith('portico:'))
      .flatMap((service: Json) => Object.keys(service.environment));
    const containers = document.spec?.template?.spec?.containers ?? [];
    const ofPods = containers.flatMap(({ env = [] }: Json) => env.map(({ name }: Json) => name));
    const ofSecrets = document.kind === 'Secret' ? Object.keys(document.stringData) : [];
    return [...ofCompose, ...ofPods, ...ofSecrets];
  });

describe('The settings', () => {
  it('are described, each once', () => {
    const names = settingGroups.flatMap(({ settings }) => settings).map(({ name }) => name);
    expect(names.sort()).to.deep.equal(settings());
  });

  it('are in docs/settings.md and .env.example, as `portico settings` prints them', () => {
    expect(textOf('docs/settings.md')).to.equal(settingsAsMarkdown());
    expect(textOf('.env.example')).to.equal(settingsAsEnv());
  });

  it('in .env.example are valid as they are', () => {
    expect(readConfig(Object.fromEntries(environmentIn('.env.example')))).to.deep.equal(readConfig({}));
  });

  it('include every variable in the image, the manifests and the examples', () => {
    const known = [...settings(), 'NODE_ENV'];
    const spoken = new Map<string, readonly string[]>([
      ['Dockerfile', Object.keys(environment)],
      ['docs/deploy/portico.env.example', [...environmentIn('docs/deploy/portico.env.example').keys()]],
      [
        'docs/deploy/kubernetes/settings.env',
        [...environmentIn('docs/deploy/kubernetes/settings.env').keys()],
      ],
      ...yamlFiles.map((file) => [file, given(file)] as const),
    ]);
    for (const [file, names] of spoken) expect(known, file).to.include.members([...names]);
    expect(spoken.get('compose.yaml')).to.include('DATABASE_URL');
    expect(spoken.get('docs/deploy/kubernetes/secret.example.yaml')).to.include('ADMIN_API_KEY');
  });

  it('are all passed on by compose.yaml, but those of the image and files in the container', () => {
    const ofImage = ['HOST', 'PORT', 'OPS_PORT'];
    // They need a volume or a secret as well: docs/operations/deploy.md shows it.
    const files = settings().filter((name) => name.endsWith('_FILE'));
    const { services } = documentsIn('compose.yaml')[0];
    for (const name of ['portico-1', 'portico-2']) {
      expect([...Object.keys(services[name].environment), ...ofImage, ...files].sort()).to.deep.equal(
        settings(),
      );
    }
    expect(Object.keys(environment)).to.include.members(ofImage);
  });

  it('that compose.yaml does not fix come from compose.env or the shell, or stay unset', () => {
    const [{ services }] = documentsIn('compose.yaml') as Json[];
    const { environment: passed } = services['portico-1'];
    for (const name of [
      'CORS_ORIGIN',
      'JWT_ISSUER',
      'RATE_LIMIT_MAX',
      'MAX_IN_FLIGHT',
      'PAYMENT_PROVIDER',
      'LOG_LEVEL',
    ]) {
      expect(passed[name], name).to.equal(null);
    }
    const examples = [...environmentIn('docs/deploy/compose.env.example').keys()];
    expect([...settings(), 'POSTGRES_PASSWORD', 'SITE']).to.include.members(examples);
  });

  it('in the examples are valid once the empty ones are set', () => {
    const secrets = { ADMIN_API_KEY: 'k'.repeat(32), STRIPE_SECRET_KEY: 'sk_test_1' };
    const events = {
      ...{ PAYMENT_PROVIDER: 'stripe', PROVIDER_EVENTS_PORT: '3100' },
      STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2',
    };
    const database = { DATABASE_URL: 'postgres://portico:secret@database:5432/portico' };
    const examples = [
      Object.fromEntries(environmentIn('docs/deploy/portico.env.example')),
      {
        ...environment,
        ...Object.fromEntries(environmentIn('docs/deploy/kubernetes/settings.env')),
        ...database,
      },
    ];
    for (const example of examples) {
      expect(readConfig({ ...example, ...secrets })).to.include({ behindProxy: true, seedDemo: false });
      expect(readConfig({ ...example, ...secrets, ...events }).providerEvents).to.include({ port: 3100 });
    }
    expect(() => readConfig(environment)).to.throw(/^HOST .*TLS_CERT_FILE.*TRUST_PROXY=1/);
  });

  it('that are secret have no value in the examples, and compose.yaml requires them', () => {
    const compose = textOf('compose.yaml');
    for (const name of ['POSTGRES_PASSWORD', 'ADMIN_API_KEY']) {
      expect(compose)
        .to.match(new RegExp(`\\$\\{${name}:\\?`))
        .and.not.match(new RegExp(`\\$\\{${name}(\\}|:-)`));
      expect(environmentIn('docs/deploy/compose.env.example').get(name)).to.equal('');
    }
    const asked = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    expect([...environmentIn('docs/deploy/compose.env.example').keys()]).to.include.members([...asked]);
    const [secret] = documentsIn('docs/deploy/kubernetes/secret.example.yaml');
    expect(new Set(Object.values(secret.stringData))).to.deep.equal(new Set(['']));
  });
});
