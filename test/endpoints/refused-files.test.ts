/** What is refused comes back to its caller without the files in it: wherever they stand, and whoever refused it. */
import { describe, expect, it } from 'vitest';
import { MAX_BODY_DEPTH } from '../../server/src/http/body.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout } from '../support/payout.ts';
import { PERSON, PNG } from '../support/senders.ts';
import { bodyOf, refusalsIn } from './sender-edge.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

const FILE = { upload: PNG, upload_file_name: 'passport.png' };
const UNNAMED = { upload: PNG, upload_file_name: 'a\u0000' };
const UNSTORABLE = { first_name: 'a\u0000', documents: [FILE] };
/** Base64 alone, and more of it than any text that is kept may have. */
const BARE = Buffer.from('the scan of a passport '.repeat(1_000)).toString('base64');
const sender = (fields: object) => ({ sender: { ...PERSON, ...fields } });
const nested = (depth: number): unknown => (depth === 0 ? FILE : [nested(depth - 1)]);

describe('a refused request does not send its file back', () => {
  it.each<[string, string, object, string[]]>([
    ['a text beside it cannot be stored', '/v1/senders', sender(UNSTORABLE), ['first_name: invalid']],
    ['its name cannot be stored', '/v1/documents', { document: UNNAMED }, ['upload_file_name: invalid']],
    [
      'its name in a list cannot be stored',
      '/v1/senders',
      sender({ documents: [UNNAMED] }),
      ['documents.0.upload_file_name: invalid'],
    ],
    [
      'a text of the sender in a transaction cannot be stored',
      '/v1/transactions',
      bodyOfPayout({ sender: { ...ADA, ...UNSTORABLE } }),
      ['sender.first_name: invalid'],
    ],
    ['the documents are no list', '/v1/senders', sender({ documents: FILE }), ['documents: invalid']],
    [
      'the documents are a list of lists',
      '/v1/senders',
      sender({ documents: [[FILE]] }),
      ['documents.0.base: invalid'],
    ],
    ['it is an element of the list itself', '/v1/senders', sender({ documents: [PNG] }), ['documents.0.base: invalid']],
    ['it is in the place of the document', '/v1/documents', { document: PNG }, ['base: invalid']],
    ['it has another name', '/v1/documents', { document: { file: PNG, upload_file_name: 'a' } }, ['upload: blank']],
    [
      'the documents are JSON in a text',
      '/v1/senders',
      sender({ documents: JSON.stringify([FILE]) }),
      ['documents: invalid'],
    ],
    [
      'it is base64 in the place of another text',
      '/v1/documents',
      { document: { ...FILE, upload_file_name: BARE } },
      ['upload_file_name: too_large'],
    ],
    [
      'it stands where nothing belongs',
      '/v1/transactions',
      bodyOfPayout({ over: { external_id: 5, files: { first: [FILE] } } }),
      ['external_id: invalid'],
    ],
    [
      'it is as deep as a body may be',
      '/v1/senders',
      sender({ documents: nested(MAX_BODY_DEPTH - 3) }),
      ['documents.0.base: invalid'],
    ],
  ])('where %s', async (_, path, body, refusals) => {
    const answer = await caller.post(path, body);
    expect(refusalsIn(answer)).toEqual(refusals);
    expect(answer.text).not.toContain('base64');
    expect(answer.text).not.toContain(BARE.slice(0, 100));
  });

  it('and everything else comes back, with the errors at their places', async () => {
    const documents = [PNG, { ...FILE, metadata: { page: 1 } }, UNNAMED];
    const answer = await caller.post('/v1/senders', sender({ documents }));
    expect(bodyOf(answer).object).toEqual({
      ...PERSON,
      documents: [
        null,
        { upload_file_name: 'passport.png', metadata: { page: 1 } },
        { upload_file_name: 'a\u0000', errors: { upload_file_name: [{ error: 'invalid' }] } },
      ],
    });
  });
});
