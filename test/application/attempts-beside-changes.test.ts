import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { type EndedDelivery, recordAttempts } from '#application/webhooks/record-attempts.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { existing } from '../contracts/harness.ts';
import { aWebhook, later, noon } from '../contracts/samples.ts';
import { hour } from './fixture.ts';

const disableAfterHours = 120;

/** An endpoint that has failed since noon, of which an attempt is recorded that began before the endpoint was changed. */
const recordBeside = async (
  changes: Parameters<typeof WebhookEndpoint.change>[1],
  ended: Pick<EndedDelivery, 'isGone'> & { readonly error?: 'status' | null },
  recordedAt: Instant = later(9),
) => {
  const { unitOfWork } = await openMemory();
  const { webhookEndpoint: before, endpointPosition, webhookDelivery: delivery } = aWebhook();
  const failed = EndpointPosition.note(endpointPosition, [{ isSuccess: false, at: noon }], noon);
  await unitOfWork.run(async (repositories) => {
    await repositories.webhookEndpoints.add(before);
    await repositories.endpointPositions.add(failed);
    await repositories.webhookDeliveries.addAll([delivery]);
  });
  await unitOfWork.run(async ({ webhookEndpoints }) => {
    const locked = existing(await webhookEndpoints.lock(before.id));
    await webhookEndpoints.save(WebhookEndpoint.change(locked, changes, later(1)));
  });
  const disabled: string[] = [];
  const record = recordAttempts({
    ...{ unitOfWork, clock: { now: () => recordedAt }, disableAfterHours },
    observer: {
      ...{ attempted() {}, failing() {}, lag() {}, lost() {}, warn() {} },
      disabled: (reason) => disabled.push(reason),
    },
  });
  const { error, ...rest } = ended;
  const attempt = error !== undefined && { at: later(2), durationMs: 1, statusCode: 200, error, random: 0 };
  await record(before, [{ id: delivery.id, endpoint: before, ...rest, ...(attempt && { attempt }) }]);
  const { failingSince, failures } = existing(
    await unitOfWork.read((store) => store.endpointPositions.find(before.id)),
  );
  return { failingSince, failures, disabled };
};

const failing = { failingSince: noon, failures: 1, disabled: [] };
const working = { failingSince: null, failures: 0, disabled: [] };
const tooLate = Instant.plus(noon, disableAfterHours * hour + 1);

describe('An attempt that ends when its endpoint was changed', () => {
  it('counts as a success of the endpoint, whatever but its URL was changed', async () => {
    expect(await recordBeside({ description: 'ERP' }, { error: null })).to.deep.equal(working);
    expect(await recordBeside({ url: 'https://example.org' }, { error: null })).to.deep.equal(failing);
  });

  it('saves an endpoint that has failed for too long if it is a success', async () =>
    expect(await recordBeside({ payload: 'thin' }, { error: null }, tooLate)).to.deep.equal(working));

  it('does not count as a failure, and disables no endpoint', async () => {
    expect(await recordBeside({ description: 'ERP' }, { error: 'status' })).to.deep.equal(failing);
    expect(await recordBeside({ description: 'ERP' }, { error: 'status', isGone: true })).to.deep.equal(
      failing,
    );
    expect(await recordBeside({ description: 'ERP' }, { error: 'status' }, tooLate)).to.deep.equal(failing);
  });
});

describe('A delivery whose event is gone', () => {
  it('does not disable an endpoint that has failed for too long: nothing was attempted', async () =>
    expect(await recordBeside({}, {}, tooLate)).to.deep.equal(failing));
});
