import { serverKinds } from '../../support/test-databases.ts';
import { describeEndpointWithoutKey, describeWebhookEndpoint } from './webhook-endpoints.suite.ts';

describeWebhookEndpoint(serverKinds);
describeEndpointWithoutKey(serverKinds);
