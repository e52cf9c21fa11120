import { describeAuthenticator, type OpenAuthenticator } from './authenticator.ts';
import { openBoth, openKeys, openProvisionedTokens, openStaticKeys, openTokens } from './authenticators.ts';
import { expectRejection } from './failures.ts';
import * as wrong from './wrong/authenticators.ts';

const adapters: Readonly<Record<string, OpenAuthenticator>> = {
  'API keys': openKeys,
  'Keys of the configuration': openStaticKeys,
  'Access tokens': openTokens,
  'Access tokens of provisioned users': openProvisionedTokens,
  'API keys and access tokens': openBoth,
};

for (const [adapter, open] of Object.entries(adapters)) describeAuthenticator(adapter, open);

const comparison = 'are compared character by character, and every other text is none';
const outage = 'are not invalid while they cannot be checked, and are checked anew afterwards';
const removal = 'stop working within five seconds when their user is removed';
const keyId = 'have one key id at each request, and share none between users';
const newRole = 'have the changed role of their user within five seconds';

/** Each wrong authenticator, with the promises by whose names it must fail. */
const cases: readonly (readonly [fault: string, open: OpenAuthenticator, promises: readonly string[]])[] = [
  [
    'remember all that was valid once',
    wrong.remembersAll,
    [
      ...[newRole, removal, outage],
      'stop working within five seconds when they are revoked',
      'stop working within five seconds when they expire',
    ],
  ],
  ['check nothing anew', wrong.neverAnew, ['have at once what is stored, when they are checked anew']],
  ['remember an outage', wrong.remembersOutages, [outage]],
  ['take an outage for an invalid token', wrong.outagesAsInvalid, [outage]],
  ['throw an error at nonsense', wrong.throwsAtNonsense, [comparison]],
  ['compare without case', wrong.withoutCase, [comparison]],
  ['ignore spaces', wrong.trimmed, [comparison]],
  ['ignore what stands behind a token', wrong.cutAtItsEnd, [comparison]],
  ['give all scopes', wrong.allScopes, ['name the user, the role, and all scopes of that role']],
  ['give the scopes of the role', wrong.scopesOfTheRole, ['allow no more than they were issued with']],
  ['give all users one key id', wrong.oneKeyForAll, [keyId]],
  ['give each request a key id of its own', wrong.newKeyEachTime, [keyId]],
  [
    'mix up concurrent requests',
    wrong.mixesConcurrent,
    ['get each their own user, however many are checked at once'],
  ],
  ['keep the role of a user', wrong.keepsRoles, [newRole]],
  [
    'keep the rate limit of a key',
    wrong.keepsRateLimits,
    ['have the changed rate limit of their key within five seconds'],
  ],
  ['act for a user who was removed', wrong.actsForTheRemoved, [removal]],
  [
    'act for a user who was erased',
    wrong.actsForTheErased,
    ['stop working within five seconds when their user is erased'],
  ],
];

describe('The contract suite of authenticators rejects those that', () => {
  for (const [fault, open, promises] of cases) {
    it(fault, () => expectRejection((runner) => describeAuthenticator('wrong', open, runner), promises));
  }
});
