import { askingPayers } from '../../application/payer.ts';
import { scriptedProvider } from '../../application/provider.ts';

export const apiVersion = 0;

/** The payers of all services of this process that have this module as their provider. */
export const payer = askingPayers(scriptedProvider().port);

export const openPaymentProvider = () => payer.port;

/** The variables of a service whose provider asks payers. */
export const asking = { PAYMENT_PROVIDER: import.meta.filename };
