/** The days by which lists are narrowed: what a query may ask for, and what it asked. Open point OP-50. */
import { Type } from 'typebox';
import type { CreatedDays } from '../kernel/created-days.ts';

/** For the query of a list, beside its own filters. */
export const CREATED_DAYS_QUERY = {
  created_at_from: Type.Optional(Type.String({ format: 'date', description: 'First day, in UTC.' })),
  created_at_to: Type.Optional(Type.String({ format: 'date', description: 'Last day, in UTC.' })),
};

export function createdDaysOf(query: {
  readonly created_at_from?: string;
  readonly created_at_to?: string;
}): CreatedDays {
  const { created_at_from: from, created_at_to: to } = query;
  return { ...(from !== undefined && { createdAtFrom: from }), ...(to !== undefined && { createdAtTo: to }) };
}
