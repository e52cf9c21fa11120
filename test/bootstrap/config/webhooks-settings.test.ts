import { describeSettings } from '../support/settings.ts';

const secretKeys = [`${'A'.repeat(43)}=`, `${'B'.repeat(42)}A=`] as const;

describeSettings('webhooks', {
  WEBHOOK_ALLOW: {
    read: ({ webhooks }) => webhooks.allowed.map(({ port }) => port),
    byDefault: [],
    valid: [
      ['erp.internal:8080', [8080]],
      ['*.corp.example:*, 10.0.0.0/8:443,[fd00::/8]:1', [undefined, 443, 1]],
    ],
    invalid: ['erp.internal', '*:*', 'http://erp.internal:80', '10.0.0.0/33:80', '::1:80', ','],
    expected: /^WEBHOOK_ALLOW must be hosts with ports, separated by commas, such as erp\.internal:8080, /,
  },
  WEBHOOK_DISABLE_AFTER_HOURS: {
    read: ({ webhooks }) => webhooks.disableAfterHours,
    byDefault: 120,
    valid: [
      ['1', 1],
      ['720', 720],
    ],
    invalid: ['0', '721', '1.5', '5d'],
    expected: /^WEBHOOK_DISABLE_AFTER_HOURS must be .*1 to 720/,
  },
  SECRETS_KEY: {
    read: ({ webhooks }) => webhooks.secretKeys,
    byDefault: [],
    valid: [
      [secretKeys[0], [secretKeys[0]]],
      [secretKeys.join(', '), secretKeys],
    ],
    invalid: [
      'AAAA',
      'A'.repeat(44),
      `${'A'.repeat(42)}B=`,
      `${secretKeys[0]},`,
      `${secretKeys[0]},${secretKeys[0]}`,
    ],
    expected:
      /^SECRETS_KEY must be 1 to 10 different keys separated by commas, each of 32 bytes in base64, such as openssl /,
  },
});
