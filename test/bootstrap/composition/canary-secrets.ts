/** Secrets that must not appear in any output. */
export const canaries = {
  stripeKey: 'sk_test_canaryOfStripe0123456789',
  webhookSecret: 'whsec_canaryOfAWebhook0123456789',
  otherWebhookSecret: 'whsec_canaryOfAnotherWebhook0123',
  clientSecret: 'pi_canary_secret_ofAPayer0123456789',
  databasePassword: 'canaryOfTheDatabase0123',
  replicaPassword: 'canaryOfAReplica0123456',
  card: 'pm_canaryOfACard0123456789',
  cardToken: 'tok_canaryOfACard0123456789',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.Y2FuYXJ5T2ZBSnNvbldlYlRva2Vu',
  tlsKey: 'canaryOfAPrivateKey0123456789',
  bearer: 'canary-of-an-unknown-bearer-token',
};
