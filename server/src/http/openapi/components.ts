/**
 * The schemas that have a name in the document. Wherever one of them stands in a route's schema, the document refers to
 * it; they are known by what they say, since the type builder copies a schema when it marks it as optional.
 */
import type { TSchema } from 'typebox';
import { Pagination } from '../paging.ts';
import { Balance } from '../schemas/balance.ts';
import { Debit, NewDebit } from '../schemas/debit.ts';
import { Document, DocumentReference, NewDocument } from '../schemas/document.ts';
import { Currency, CurrencyRate, CurrencyWithRates, PaymentMethod } from '../schemas/info.ts';
import { NewPayinMethod, PayinMethod } from '../schemas/payin-method.ts';
import { Problem } from '../schemas/problem.ts';
import { ProofOfPayment } from '../schemas/proof.ts';
import { FieldError, Refused, RefusedList } from '../schemas/refused.ts';
import { ExposedPerson, NewSender, Sender } from '../schemas/sender.ts';
import * as transaction from '../schemas/transaction.ts';
import { NewWebhook, Webhook } from '../schemas/webhook.ts';
import { WebhookLog } from '../schemas/webhook-log.ts';
import type { Schema } from './types.ts';

/** In the order of the reference page. */
const NAMED: Readonly<Record<string, TSchema>> = {
  Transaction: transaction.Transaction,
  NewTransaction: transaction.NewTransaction,
  TransactionState: transaction.TransactionState,
  Recipient: transaction.Recipient,
  NewRecipient: transaction.NewRecipient,
  RecipientState: transaction.RecipientState,
  PayoutMethod: transaction.PayoutMethod,
  NewPayoutMethod: transaction.NewPayoutMethod,
  PayinMethod,
  NewPayinMethod,
  ErrorDetail: transaction.ErrorDetail,
  ProofOfPayment,
  Balance,
  Debit,
  NewDebit,
  Sender,
  NewSender,
  ExposedPerson,
  Document,
  NewDocument,
  DocumentReference,
  Currency,
  CurrencyCode: transaction.CurrencyCode,
  CurrencyRate,
  CurrencyWithRates,
  PaymentMethod,
  Webhook,
  NewWebhook,
  WebhookLog,
  Pagination,
  Refused,
  RefusedList,
  FieldError,
  Problem,
};

export const SCHEMA_PREFIX = '#/components/schemas/';

/**
 * A field may say in its own words what a named schema means there, so the description is no part of what is compared.
 */
const textOf = ({ description: _, ...form }: Schema): string => JSON.stringify(form);

const byText = new Map(
  Object.entries(NAMED).map(([name, schema]) => {
    const plain = plainSchema(schema);
    return [textOf(plain), { name, description: plain.description }];
  }),
);

export function componentSchemas(): Record<string, Schema> {
  return Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, insideOf(plainSchema(schema))]));
}

/** The schema as the document has it: a reference where it has a name, and references inside it. */
export function documentSchema(schema: unknown): Schema {
  return referred(plainSchema(schema));
}

function plainSchema(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema));
}

function referred(schema: Schema): Schema {
  const found = byText.get(textOf(schema));
  if (found === undefined) return insideOf(schema);
  const { description } = schema;
  return { $ref: `${SCHEMA_PREFIX}${found.name}`, ...(description !== found.description && { description }) };
}

function insideOf(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, referred) }),
    ...(items && { items: referred(items) }),
    ...(anyOf && { anyOf: anyOf.map(referred) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: referred(additionalProperties) }),
  };
}

function mapValues<From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
