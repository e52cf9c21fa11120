import type { CompleteProvider } from '#application/ports/payment-provider.ts';
import type { Clock } from '#application/ports/system.ts';
import { sandboxCharges } from './charges.ts';
import { entriesOf, type SandboxLedger } from './ledger.ts';
import { sandboxLifecycle } from './lifecycle.ts';
import { sandboxEvents } from './provider-events.ts';
import { sandboxRefunds } from './refunds.ts';

/**
 * The ledger keeps its entries for ever. The sandbox still has the window of a real provider, so that it exercises the same code: 24
 * hours, less one hour for requests in flight.
 */
const idempotencyWindowMs = 23 * 3_600_000;

/**
 * A provider that moves no money. The token selects its behavior (`scenarios.ts`), which unfolds with the time. The first outcome on
 * an id is final, for every process and after every restart.
 * @param clock the same for all processes that share the ledger
 */
export const sandboxProvider = (ledger: SandboxLedger, clock: Clock): CompleteProvider => {
  const entries = entriesOf(ledger);
  const events = sandboxEvents({ entries, clock });
  const charges = sandboxCharges({ entries, clock, events });
  const refunds = sandboxRefunds({ entries, clock, events, charges });
  return {
    name: 'sandbox',
    idempotencyWindowMs,
    charge: charges.charge,
    closeCharge: charges.close,
    refund: refunds.refund,
    closeRefund: refunds.close,
    lifecycle: sandboxLifecycle({ entries, clock, events, charges, refunds }),
  };
};
