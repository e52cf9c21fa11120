import { actAs } from './acting-as.js';
import { carriedIds } from './carried-ids.js';
import { demoKeys } from './demo-keys.js';
import { forTrying } from './for-trying.js';
import { listOperations } from './operations.js';
import { outcomes } from './outcomes.js';
import { requestKeys } from './request-keys.js';

const { SwaggerUIBundle } = globalThis;

const canSend = 'canSend' in document.body.dataset;
const response = await fetch('/openapi.json');
const description = await response.json();
const keys = requestKeys();
const ids = carriedIds(description);
const demonstration = canSend ? await demoKeys() : {};
const [anyKey] = Object.values(demonstration);
let caller;

/** A server that was started again has other keys for this page. */
const renewKeys = async (response) => {
  if (response.status === 401 && anyKey) caller.renew(await demoKeys());
  return ids.afterResponse(response);
};
const answers = outcomes((status) =>
  status === 401 && anyKey ? ' The keys of this page have been read anew. Execute it once more.' : undefined,
);

const drawn = Promise.withResolvers();

const ui = SwaggerUIBundle({
  dom_id: '#reference',
  spec: forTrying(description),
  plugins: [keys.plugin, ids.plugin, answers.plugin],
  requestInterceptor: keys.beforeRequest,
  responseInterceptor: renewKeys,
  ...(!canSend && { supportedSubmitMethods: [] }),
  tryItOutEnabled: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'example',
  displayRequestDuration: true,
  deepLinking: false,
  validatorUrl: null,
  persistAuthorization: false,
  syntaxHighlight: { theme: 'nord' },
  onComplete: () => drawn.resolve(),
});
await drawn.promise;

listOperations(description, (tag, id) => ui.layoutActions.show(['operations', tag, id], true));

const [scheme] = Object.keys(description.components.securitySchemes);
let isKnown = false;
const authorize = (key) => {
  if (key) ui.preauthorizeApiKey(scheme, key);
  else if (isKnown) ui.authActions.logout([scheme]);
  isKnown = key !== '';
};

if (canSend) {
  caller = actAs(demonstration, authorize);
  if (anyKey) await ids.learnFrom('/v1/products?status=active&limit=1', anyKey);
}
