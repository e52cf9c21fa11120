import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { startWebhookWorker, type WebhookWorker } from '#adapters/webhooks/delivery/worker.ts';
import type { HttpWebhookSender } from '#adapters/webhooks/sender.ts';
import { recordedUnitOfWork } from '#application/events/recorded-unit-of-work.ts';
import type { Clock } from '#application/ports/system.ts';
import type { StoreUnitOfWork, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { webhookDeliveryUseCases } from '#application/use-cases/webhook-deliveries.ts';
import { webhookEndpointUseCases } from '#application/use-cases/webhook-endpoints.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';
import { scopes } from '#domain/access.ts';
import type { Product } from '#domain/product.ts';
import type {
  WebhookEndpoint,
  WebhookEndpointDetails,
  WebhookEndpointId,
} from '#domain/webhooks/endpoint.ts';
import { aProduct } from '../../../contracts/samples.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { testSender } from '../receiver.ts';

const admin: Caller = { userId: newId(), role: 'admin', scopes, keyId: newId() };

interface Options {
  readonly keys?: Parameters<typeof secretBox>[0];
  readonly clock?: Clock;
  readonly sender?: Pick<HttpWebhookSender, 'send' | 'problemOf' | 'close'>;
}

/** A sender to receivers on this machine. */
const loopbackSender = () => testSender({ allow: '127.0.0.1:*', timeouts: { connect: 1_000, total: 1_000 } });

/** A store with endpoints of webhooks, and workers that deliver to receivers on this machine. */
export const aDeliveryFixture = (
  store: { readonly unitOfWork: StoreUnitOfWork; readonly number?: () => Promise<void> },
  { keys = temporaryKeys(), clock = machineClock, sender = loopbackSender() }: Options = {},
) => {
  const warnings: string[] = [];
  const lags = new Map<string, number | undefined>();
  const failing = new Map<string, number | undefined>();
  const attempts: (string | null)[] = [];
  const disabled: string[] = [];
  const lost: number[] = [];
  const observer: WebhookObserver = {
    attempted: (error) => attempts.push(error),
    disabled: (reason) => disabled.push(reason),
    lost: (count) => lost.push(count),
    lag: (id, events) => lags.set(id, events),
    failing: (id, milliseconds) => failing.set(id, milliseconds),
    warn: (message, details) => warnings.push(`${message} ${details.err ?? ''}`),
  };
  const unitOfWork: UnitOfWork = recordedUnitOfWork(store.unitOfWork, {
    clock,
    showFields: (_, resource) => resource,
    causeKind: 'command',
  });
  const box = secretBox(keys);
  const webhooks = { sender, box, randomSecret: () => Buffer.alloc(32, 7).toString('base64') };
  const useCases = {
    ...webhookEndpointUseCases({ clock, newId, webhooks }),
    deliveries: webhookDeliveryUseCases({ clock, newId }),
  };
  const workers: WebhookWorker[] = [];

  return {
    ...{ unitOfWork, warnings, lags, failing, attempts, disabled, lost, useCases, admin },

    startWorker: (disableAfterHours = 120): WebhookWorker => {
      const deliveries = webhookDeliveries({
        ...{ unitOfWork, clock, newId, sender, box, observer, disableAfterHours },
        ...{ show: showEvents, random: () => 0 },
      });
      const report = (error: unknown) => warnings.push(String(error));
      const worker = startWebhookWorker({ deliveries, observer, name: newId(), report });
      workers.push(worker);
      return worker;
    },

    endpoint: async (
      port: number,
      details: Partial<WebhookEndpointDetails> = {},
    ): Promise<WebhookEndpoint> => {
      const given: WebhookEndpointDetails = {
        ...{ url: `http://127.0.0.1:${port}/`, eventTypes: ['*'], description: null },
        ...{ ordering: 'parallel', payload: 'full', ...details },
      };
      const { endpoint } = await unitOfWork.run(useCases.create(admin, given));
      await store.number?.();
      return endpoint;
    },

    change: (id: WebhookEndpointId, changes: Parameters<typeof useCases.change>[1]['changes']) =>
      unitOfWork.run(useCases.change(admin, { id, expectedVersions: undefined, changes })),

    /** Makes products, and so as many events. */
    addProducts: async (count: number): Promise<void> => {
      const products: readonly Product[] = Array.from({ length: count }, () => aProduct());
      await unitOfWork.run(({ products: all }) => all.addAll(products));
      await store.number?.();
    },

    deliveriesTo: (endpointId: WebhookEndpointId) =>
      unitOfWork.read(
        async ({ webhookDeliveries: all }) => (await all.page({ endpointId }, { limit: 5_000 })).rows,
      ),

    end: async (): Promise<void> => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      sender.close();
    },
  };
};
