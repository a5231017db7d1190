/** /v1/documents: files stored on their own, and attached to senders by their id. */
import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../server/src/documents/document.ts';
import { pgFileStore } from '../../server/src/documents/pg-files.ts';
import { callerOf, ids, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { PERSON, PNG } from '../support/senders.ts';
import type { SignedCaller } from '../support/signed-caller.ts';
import { bodyOf, createSender, NO_ROWS, refusalsIn, rowsOf, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.7 …').toString('base64')}`;

async function newCaller() {
  const account = await makeAccount(db);
  return { account, caller: callerOf(edge, account) };
}

async function upload(caller: SignedCaller, fields: object = {}): Promise<string> {
  const answer = await caller.post('/v1/documents', {
    document: { upload: PNG, upload_file_name: 'p.png', ...fields },
  });
  expect(answer.status, answer.text).toBe(200);
  return String(bodyOf(answer).object['id']);
}

describe('a document', () => {
  it('comes back with what is known about it, and without its content', async () => {
    const { account, caller } = await newCaller();
    const said = { document_type: 'passport', document_id: 'X123', expiry_date: '2031-05-01', metadata: { a: 1 } };
    const answer = await caller.post('/v1/documents', {
      document: { upload: PDF, upload_file_name: 'p.pdf', ...said },
    });
    const { id, ...object } = bodyOf(answer).object;
    expect(object).toEqual({
      ...said,
      upload_file_name: 'p.pdf',
      upload_content_type: 'application/pdf',
      upload_file_size: 12,
      category: 'uncategorised',
      source: 'Manual',
    });
    expect(bodyOf(await caller.get(`/v1/documents/${id}`)).object).toEqual({ id, ...object });
    const stored = await pgFileStore.get(db, { accountId: account.accountId, fileId: String(id) });
    expect(stored && Buffer.from(stored).toString()).toBe('%PDF-1.7 …');
  });

  it.each([
    ['an address in place of the file', { upload: 'https://files.example.test/p.png' }, ['upload: invalid']],
    ['another kind of file', { upload: 'data:text/html;base64,PGI+' }, ['upload: not_in_list']],
    ['a file that is not what it says', { upload: PDF.replace('application/pdf', 'image/png') }, ['upload: invalid']],
    ['no name', { upload_file_name: undefined }, ['upload_file_name: blank']],
    ['everything wrong', { upload: null, upload_file_name: 5 }, ['upload: blank', 'upload_file_name: invalid']],
  ])('with %s is refused and not kept', async (_, fields, refusals) => {
    const { account, caller } = await newCaller();
    const document = { upload: PNG, upload_file_name: 'p.png', ...fields };
    const answer = await caller.post('/v1/documents', { document });
    expect(refusalsIn(answer)).toEqual(refusals);
    expect(answer.text).not.toContain('base64');
    expect(await rowsOf(db, account.accountId)).toEqual(NO_ROWS);
  });

  it('of the largest size that is taken fits into the largest body that is read', async () => {
    const { caller } = await newCaller();
    const content = Buffer.alloc(MAX_DOCUMENT_BYTES);
    content.write('%PDF-1.7');
    const largest = `data:application/pdf;base64,${content.toString('base64')}`;
    const id = await upload(caller, { upload: largest });
    expect(bodyOf(await caller.get(`/v1/documents/${id}`)).object).toMatchObject({
      upload_file_size: MAX_DOCUMENT_BYTES,
    });
  });

  it('that is missing from the body is refused', async () => {
    const { caller } = await newCaller();
    expect(refusalsIn(await caller.post('/v1/documents', {}))).toEqual(['document: blank']);
  });

  it('of another account does not exist', async () => {
    const { caller } = await newCaller();
    const { caller: stranger } = await newCaller();
    const id = await upload(caller);
    for (const path of [`/v1/documents/${id}`, `/v1/documents/${ids.next()}`, '/v1/documents/abc']) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    const answer = await stranger.post('/v1/senders', { sender: { ...PERSON, documents: [{ id }] } });
    expect(refusalsIn(answer)).toEqual(['documents.0.id: not_found']);
  });

  it('is listed, newest first, page by page', async () => {
    const { caller } = await newCaller();
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) made.unshift(await upload(caller, { upload_file_name: `f-${index}` }));
    const { object, meta } = bodyOf(await caller.get('/v1/documents?per=2')) as unknown as {
      object: { id: string }[];
      meta: object;
    };
    expect(object.map((document) => document.id)).toEqual(made.slice(0, 2));
    expect(meta).toEqual({
      pagination: { current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 3 },
    });
  });
});

describe('a stored document', () => {
  it('is given to a new sender, and to a sender that exists', async () => {
    const { caller } = await newCaller();
    const [first, second] = [await upload(caller), await upload(caller)];
    const sender = await createSender(caller, { documents: [{ id: first }, { id: first }] });
    expect(sender).toMatchObject({ documents: [{ id: first, upload_file_name: 'p.png' }] });
    const answer = await caller.patch(`/v1/senders/${sender.id}`, {
      sender: { documents: [{ id: first }, { id: second.toUpperCase() }] },
    });
    expect(bodyOf(answer).object['documents']).toMatchObject([{ id: first }, { id: second }]);
  });

  it('belongs to one sender only', async () => {
    const { caller } = await newCaller();
    const id = await upload(caller);
    await createSender(caller, { documents: [{ id }] });
    const answer = await caller.post('/v1/senders', { sender: { ...PERSON, documents: [{ id }, { id: ids.next() }] } });
    expect(refusalsIn(answer)).toEqual(['documents.0.id: attached_elsewhere', 'documents.1.id: not_found']);
  });

  it('that two new senders want at the same time goes to one of them', async () => {
    const { account, caller } = await newCaller();
    const id = await upload(caller);
    const sender = { ...PERSON, documents: [{ id }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => caller.post('/v1/senders', { sender })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 1, documents: 1 });
  });

  it('counts towards what one sender may have', async () => {
    const { caller } = await newCaller();
    const documents = Array.from({ length: 20 }, (_, index) => ({ upload: PNG, upload_file_name: `f-${index}` }));
    const sender = await createSender(caller, { documents });
    const answer = await caller.patch(`/v1/senders/${sender.id}`, {
      sender: { documents: [{ upload: PNG, upload_file_name: 'one more' }] },
    });
    expect(refusalsIn(answer)).toEqual(['documents: too_large']);
    const many = [...documents, ...documents];
    const refused = await caller.post('/v1/senders', { sender: { ...PERSON, documents: many } });
    expect(refusalsIn(refused)).toEqual(['documents: too_large']);
  });
});
