/**
 * A change whose body names another object than its path does. Its caller means one of them and would change the other,
 * so neither is changed, nor looked for: as a body without its object, it is refused for its form. Open point OP-246.
 */
import type { FastifyReply } from 'fastify';
import { refuse } from '../kernel/refusal.ts';
import { isBlank, isObject, readId } from '../kernel/storable.ts';
import { sendRefused } from './problem.ts';

/** Client libraries send the object back as they read it, with its id, or with null where there is none. */
export function namesAnother(input: unknown, id: string): boolean {
  const named = isObject(input) ? input['id'] : undefined;
  return !isBlank(named) && readId(named) !== id;
}

export function refuseOther(reply: FastifyReply, input: unknown): FastifyReply {
  return sendRefused(reply, { object: input, refusals: [refuse('invalid', 'id')] });
}
