import { chooseCredentials } from './credentials.js';
import { idChaining } from './id-chaining.js';
import { idempotencyKeys } from './idempotency-keys.js';
import { labels } from './labels.js';
import { listOperations } from './operations.js';
import { outcomes } from './outcomes.js';
import { fetchDemoKeys } from './page.js';
import { publicAddress } from './public-address.js';
import { subtrees } from './subtrees.js';
import { tryItOutDocument } from './try-it-out.js';

const { SwaggerUIBundle } = globalThis;

const canSend = 'canSend' in document.body.dataset;
const openapi = await (await fetch('/openapi.json')).json();
const keys = idempotencyKeys();
const ids = idChaining(openapi);
const demoKeys = canSend ? await fetchDemoKeys() : {};
const [demoKey] = Object.values(demoKeys);
let credentials;

/** After a restart the server has other keys for this page, and rejects the ones that were read before. */
const handleResponse = async (response) => {
  if (response.status === 401 && demoKey) credentials.renew(await fetchDemoKeys());
  return ids.handleResponse(response);
};
const responses = outcomes((status, sent) => {
  if (status === 401 && demoKey) return ' The page has read its keys again. Execute it once more.';
  if (status === 404 && ids.hasExample(sent))
    return ' The request names an id that is only an example. Replace it with one of yours, from a list.';
  return undefined;
});

const rendered = Promise.withResolvers();

const ui = SwaggerUIBundle({
  dom_id: '#reference',
  spec: tryItOutDocument(openapi),
  plugins: [subtrees, keys.plugin, ids.plugin, responses.plugin, labels, publicAddress(openapi)],
  requestInterceptor: keys.beforeRequest,
  responseInterceptor: handleResponse,
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
  onComplete: () => rendered.resolve(),
});
await rendered.promise;

const [scheme] = Object.keys(openapi.components.securitySchemes);
let isAuthorized = false;
const authorize = (key) => {
  if (key) ui.preauthorizeApiKey(scheme, key);
  else if (isAuthorized) ui.authActions.logout([scheme]);
  isAuthorized = key !== '';
};

if (canSend) credentials = chooseCredentials(demoKeys, authorize);
listOperations(openapi, (tag, id) => ui.layoutActions.show(['operations', tag, id], true));
if (demoKey) await ids.learnFromDemo(demoKey);
