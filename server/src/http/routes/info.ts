/**
 * Spec: endpoints 12 and 13. The list of currencies and the payment methods are published: open points OP-47, OP-49 and
 * OP-87. What is shown changes only with the rates, so it is made once for each sheet of them.
 */
import type { Context } from '../../context.ts';
import { CURRENCIES } from '../../money/currencies.ts';
import { viewCurrency, viewInputs, viewOutputs } from '../../rates/currency-view.ts';
import type { RateSheet } from '../../rates/sheet.ts';
import { serializerCompiler } from '../plain-routes.ts';
import * as schemas from '../schemas/info.ts';
import type { Routes } from '../server.ts';

type InfoContext = Pick<Context, 'rates' | 'margins' | 'catalogue' | 'switches'>;

const config = { call: 'read' } as const;

export function infoRoutes(ctx: InfoContext): Routes {
  const payouts = ctx.catalogue.payouts().filter(({ kind }) => kind !== 'balance');
  // Also those that only a balance is paid in: collections are exchanged into them.
  const outputs = new Set(ctx.catalogue.payouts().map(({ currency }) => currency));
  const exchange = (sheet: RateSheet) => ({ sheet, margins: ctx.margins, outputs });
  const currencies = oncePerSheet(ctx, (sheet) => CURRENCIES.map(({ code }) => viewCurrency(code, sheet)));
  const inputs = oncePerSheet(ctx, (sheet) => viewInputs(exchange(sheet)));
  const outs = oncePerSheet(ctx, (sheet) => viewOutputs(exchange(sheet)));
  const methods = payouts.map(({ type, fields }) => ({
    type,
    details: Object.keys(fields('person')),
    fields: fields('person'),
    opposites: [],
  }));
  const payins = ctx.catalogue.payins().map(({ type, fields }) => ({
    type,
    details: Object.keys(fields()),
    fields: fields(),
    opposites: [],
  }));
  return (server) => {
    const get = (path: string, schema: unknown, read: () => unknown) =>
      server.get(path, { config, serializerCompiler, schema: { response: { 200: schema } } }, async () => ({
        object: read(),
      }));
    get('/v1/info/currencies', schemas.CurrencyList, currencies);
    get('/v1/info/currencies/in', schemas.ExchangeList, inputs);
    // The specification writes this path without the version, client libraries with it: both are served.
    get('/v1/info/currencies/out', schemas.ExchangeList, outs);
    get('/info/currencies/out', schemas.ExchangeList, outs);
    // Open point OP-132.
    get('/v1/info/payment_methods/out', schemas.PaymentMethodList, () =>
      methods.filter(({ type }) => ctx.switches.isActive(type)),
    );
    get('/v1/info/payment_methods/in', schemas.PaymentMethodList, () =>
      payins.filter(({ type }) => ctx.switches.isActive(type, 'payin')),
    );
  };
}

function oncePerSheet<T>(ctx: Pick<Context, 'rates'>, make: (sheet: RateSheet) => T): () => T {
  const made = new WeakMap<RateSheet, { readonly value: T }>();
  return () => {
    const sheet = ctx.rates.current();
    const known = made.get(sheet) ?? { value: make(sheet) };
    made.set(sheet, known);
    return known.value;
  };
}
