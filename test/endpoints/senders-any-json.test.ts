/** Whatever JSON comes in: a sender is created and can be read again, or it is refused; the service never fails. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SENDER_FIELDS } from '../../server/src/senders/fields.ts';
import { callerOf, makeAccount } from '../http/edge.ts';
import { anyJson, anyText } from '../support/any-json.ts';
import { freshDatabase } from '../support/database.ts';
import { BUSINESS, PERSON, PNG } from '../support/senders.ts';
import { bodyOf, createSender, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);
const RUNS = 80;

const name = fc.constantFrom(...SENDER_FIELDS.map((field) => field.name));
const document = fc.record({
  upload: fc.oneof(anyJson, fc.constant(PNG)),
  upload_file_name: anyText,
  metadata: anyJson,
});
const fields = fc.oneof(
  fc.dictionary(name, anyJson, { maxKeys: 3 }),
  fc.record({ metadata: fc.dictionary(anyText, anyJson) }),
  fc.record({ documents: fc.array(fc.oneof(document, anyJson), { maxLength: 3 }) }),
  fc.record({ external_id: anyText, first_name: anyText, street: anyText }),
);
const sender = fc.oneof(
  anyJson,
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
