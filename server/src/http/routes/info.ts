/**
 * Spec: endpoints 12 and 13. The list of currencies and the payment methods are published: open points OP-47, OP-49 and
 * OP-87. What is shown changes only with the rates, so it is made once for each sheet of them. When all of them are
 * stale, there is no exchange to show: open point OP-99.
 */
import type { Context } from '../../context.ts';
import { CURRENCIES } from '../../money/currencies.ts';
import { viewCurrency, viewInputs, viewOutputs } from '../../rates/currency-view.ts';
import type { RateSheet } from '../../rates/sheet.ts';
import { usableRates } from '../../rates/usable.ts';
import { serializerCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import * as schemas from '../schemas/info.ts';
import type { Routes } from '../server.ts';

type InfoContext = Pick<Context, 'rates' | 'margins' | 'catalogue' | 'switches' | 'settings' | 'clock'>;

const config = { call: 'read' } as const;

export function infoRoutes(ctx: InfoContext): Routes {
  const payouts = ctx.catalogue.payouts().filter(({ kind }) => kind !== 'balance');
  // Also those that only a balance is paid in: collections are exchanged into them.
  const outputs = new Set(ctx.catalogue.payouts().map(({ currency }) => currency));
  const exchange = (sheet: RateSheet) => ({ sheet, margins: ctx.margins, outputs });
  const usable = usableRates(ctx);
  const currencies = oncePerSheet(usable, (sheet) => CURRENCIES.map(({ code }) => viewCurrency(code, sheet)));
  const inputs = oncePerSheet(usable, (sheet) => viewInputs(exchange(sheet)));
  const outs = oncePerSheet(usable, (sheet) => viewOutputs(exchange(sheet)));
  const areAllStale = () => ctx.rates.current().rates.size > 0 && usable().rates.size === 0;
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
    const getExchange = (path: string, read: () => unknown) =>
      server.get(
        path,
        { config, serializerCompiler, schema: { response: { 200: schemas.ExchangeList } } },
        async (_, reply) => (areAllStale() ? sendProblem(reply, 'rates_stale') : { object: read() }),
      );
    get('/v1/info/currencies', schemas.CurrencyList, currencies);
    getExchange('/v1/info/currencies/in', inputs);
    // The specification writes this path without the version, client libraries with it: both are served.
    getExchange('/v1/info/currencies/out', outs);
    getExchange('/info/currencies/out', outs);
    // Open point OP-132.
    get('/v1/info/payment_methods/out', schemas.PaymentMethodList, () =>
      methods.filter(({ type }) => ctx.switches.isActive(type)),
    );
    get('/v1/info/payment_methods/in', schemas.PaymentMethodList, () =>
      payins.filter(({ type }) => ctx.switches.isActive(type, 'payin')),
    );
  };
}

function oncePerSheet<T>(usable: () => RateSheet, make: (sheet: RateSheet) => T): () => T {
  const made = new WeakMap<RateSheet, { readonly value: T }>();
  return () => {
    const sheet = usable();
    const known = made.get(sheet) ?? { value: make(sheet) };
    made.set(sheet, known);
    return known.value;
  };
}
