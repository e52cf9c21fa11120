// Optional tracing with OpenTelemetry: preload this file with `--import`, as docs/operations.md shows. It has to be loaded first,
// because instrumentation replaces functions of modules while those load. Without it OpenTelemetry need not be installed.
import { register } from 'node:module';

/** At the versions that the tests run with. */
const packages = [
  '@opentelemetry/api@1.9.0',
  '@opentelemetry/exporter-trace-otlp-proto@0.208.0',
  '@opentelemetry/instrumentation@0.208.0',
  '@opentelemetry/instrumentation-http@0.208.0',
  '@opentelemetry/instrumentation-koa@0.57.0',
  '@opentelemetry/instrumentation-pg@0.61.1',
  '@opentelemetry/resources@2.2.0',
  '@opentelemetry/sdk-trace-node@2.2.0',
];

const fail = (line) => {
  process.stderr.write(`portico: ${line}\n`);
  process.exit(1);
};

const load = async () => {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/instrumentation'),
      import('@opentelemetry/instrumentation-http'),
      import('@opentelemetry/instrumentation-koa'),
      import('@opentelemetry/instrumentation-pg'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-node'),
    ]);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    // Without --save-prod npm treats them as development dependencies, and a production install skips those.
    const add = `npm install --no-save --save-prod --omit=dev ${packages.join(' ')}`;
    return fail(`Tracing needs packages that are not installed. Run ${add}`);
  }
};

const [
  { trace },
  { OTLPTraceExporter },
  { registerInstrumentations },
  { HttpInstrumentation },
  { KoaInstrumentation },
  { PgInstrumentation },
  { defaultResource, detectResources, envDetector, resourceFromAttributes },
  { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor },
] = await load();

const processors = {
  none: () => [],
  console: () => [new SimpleSpanProcessor(new ConsoleSpanExporter())],
  otlp: () => [new BatchSpanProcessor(new OTLPTraceExporter())],
};

const { OTEL_TRACES_EXPORTER: exporter = 'otlp' } = process.env;
if (!Object.hasOwn(processors, exporter)) {
  fail(`OTEL_TRACES_EXPORTER must be one of ${Object.keys(processors).join(', ')}.`);
}

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

const provider = new NodeTracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'portico' }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: processors[exporter](),
});
provider.register();

/** Removes URLs from spans, because clients may put secrets into them by mistake. `http.route` names the resource. */
const withoutUrl = {
  'http.url': undefined,
  'http.target': undefined,
  'url.full': undefined,
  'url.path': undefined,
  'url.query': undefined,
  'http.user_agent': undefined,
};

registerInstrumentations({
  tracerProvider: provider,
  instrumentations: [
    new HttpInstrumentation({
      startIncomingSpanHook: () => withoutUrl,
      startOutgoingSpanHook: () => withoutUrl,
    }),
    new KoaInstrumentation({ ignoreLayersType: ['middleware'] }),
    new PgInstrumentation({ requireParentSpan: true }),
  ],
});

globalThis[Symbol.for('portico.traces')] = {
  traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  end: () => provider.shutdown().catch(() => undefined),
};
