import type { Container } from 'inversify';
import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { startWebhookWorker } from '#adapters/webhooks/delivery/worker.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { observingWebhooks } from './reports.ts';
import { tokens as t } from './tokens.ts';

/** What delivers webhooks. */
export const bindWebhooks = (container: Container): void => {
  container
    .bind(t.webhookWorker)
    .toResolvedValue(
      (
        { webhooks: { disableAfterHours } },
        { unitOfWork },
        clock,
        newId,
        sender,
        box,
        feedWatch,
        metrics,
        log,
        { untilReplayed },
      ) => {
        const observer = observingWebhooks(metrics, log);
        const deliveries = webhookDeliveries({
          ...{ unitOfWork, clock, newId, sender, box, observer, disableAfterHours, untilReplayed },
          ...{ show: showEvents, random: Math.random },
        });
        const report = (error: unknown) =>
          log.report(
            'warn',
            { err: error },
            'Webhooks could not be delivered for a moment. They are tried again.',
          );
        const worker = startWebhookWorker({ deliveries, observer, name: newId(), report });
        feedWatch.listen(worker.wake);
        return worker;
      },
      [
        t.config,
        t.application,
        t.clock,
        t.newId,
        t.webhookSender,
        t.secretBox,
        t.feedWatch,
        t.metrics,
        t.log,
        t.store,
      ],
    )
    .onDeactivation((worker) => worker.stop());
};
