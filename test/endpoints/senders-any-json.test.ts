/** Whatever JSON comes in: a sender is created and can be read again, or it is refused; the service never fails. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SENDER_FIELDS } from '../../server/src/senders/fields.ts';
import { callerOf, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { BUSINESS, PERSON, PNG } from '../support/senders.ts';
import { bodyOf, createSender, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);
const RUNS = 150;

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'a\u0000', '\u001b', '٣'));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1e308, 1e-7, Number.MAX_SAFE_INTEGER),
    text,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'id')), tie('value')),
  ),
})).value;
const name = fc.constantFrom(...SENDER_FIELDS.map((field) => field.name));
const document = fc.record({ upload: fc.oneof(json, fc.constant(PNG)), upload_file_name: text, metadata: json });
const fields = fc.oneof(
  fc.dictionary(name, json, { maxKeys: 3 }),
  fc.record({ metadata: fc.dictionary(text, json) }),
  fc.record({ documents: fc.array(fc.oneof(document, json), { maxLength: 3 }) }),
  fc.record({ external_id: text, first_name: text, street: text }),
);
const sender = fc.oneof(
  json,
  fields.map((some) => ({ ...PERSON, ...some })),
  fields.map((some) => ({ ...BUSINESS, ...some })),
);

it('a sender made of any JSON is taken or refused, on its own, as a reference and as a change', async () => {
  const caller = callerOf(edge, await makeAccount(db));
  const { id } = await createSender(caller);
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(sender, fields, async (input, change) => {
      const created = await caller.post('/v1/senders', { sender: input });
      const changed = await caller.patch(`/v1/senders/${id}`, { sender: change });
      for (const { status, text: shown } of [created, changed]) {
        seen.add(status);
        expect([200, 400, 422], shown).toContain(status);
      }
      if (created.status !== 200) return;
      const read = await caller.get(`/v1/senders/${String(bodyOf(created).object['id'])}`);
      expect(read.body).toEqual(created.body);
    }),
    { numRuns: RUNS },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 422]));
});
