import { localKinds } from '../../support/test-databases.ts';
import { describeWebhook } from './delivered-webhooks.suite.ts';

describeWebhook(localKinds);
