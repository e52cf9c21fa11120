import type { View } from '#adapters/wire/view.ts';
import type { ShowFields } from '#application/events/new-events.ts';
import type { SubjectType } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import { apiKeyView } from './api-keys.ts';
import { disputeView } from './disputes.ts';
import { orderView } from './orders.ts';
import { paymentView } from './payments.ts';
import { productView } from './products.ts';
import { refundView } from './refunds.ts';
import { reviewView } from './reviews.ts';
import { stockChangeView } from './stock-changes.ts';
import { userView } from './users.ts';
import { webhookEndpointOfEventView } from './webhook-endpoints.ts';

/** How staff see the subjects of events. */
export const subjectViews = {
  product: productView,
  user: userView,
  order: orderView,
  payment: paymentView,
  refund: refundView,
  stock_change: stockChangeView,
  dispute: disputeView,
  review: reviewView,
  api_key: apiKeyView,
  webhook_endpoint: webhookEndpointOfEventView,
} satisfies { readonly [S in SubjectType]: View<never> };

/** Shows a subject as this version of the API does. */
export const showFields: ShowFields = (subject, resource) =>
  (subjectViews[subject] as View<Resource, object>).encode(resource);
