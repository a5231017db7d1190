/** Documents on the wire, for the description of the interface. What a request is held to is documents/check.ts. */
import { type Static, Type } from 'typebox';
import { MAX_DOCUMENT_BYTES } from '../../documents/document.ts';
import { MEDIA_TYPES } from '../../documents/media.ts';
import { MAX_TEXT_CHARS } from '../../kernel/storable.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { metadata, textOrNull } from './shared-forms.ts';

const text = (description: string) => Type.String({ maxLength: MAX_TEXT_CHARS, description });

/** A file that comes with the request. */
export const NewDocument = Type.Object(
  {
    upload: Type.String({
      description: `The file in a data URI with base64, at most ${MAX_DOCUMENT_BYTES} bytes of ${MEDIA_TYPES.join(', ')}. An address is refused: nothing is fetched.`,
    }),
    upload_file_name: text('The name of the file.'),
    metadata: Type.Optional(metadata),
    document_type: Type.Optional(text('What it is.')),
    document_id: Type.Optional(text('The number that the authority gave it.')),
    expiry_date: Type.Optional(Type.String({ format: 'date', description: 'Until when it is valid.' })),
    source: Type.Optional(text('Where it comes from; Manual when not given.')),
  },
  { description: 'A file that comes with the request.' },
);

/** A file that is stored. */
export const DocumentReference = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Names a document that is stored.' }),
});

export const Document = Type.Object({
  id: Type.Optional(Type.String({ format: 'uuid', description: 'Absent in calculate, where it is not stored.' })),
  upload_file_name: Type.String({ description: 'The name of the file.' }),
  upload_content_type: Type.String({ description: 'Its media type.' }),
  upload_file_size: Type.Integer({ description: 'Bytes.' }),
  category: Type.String(),
  document_type: textOrNull('What it is.'),
  document_id: textOrNull('The number that the authority gave it.'),
  expiry_date: textOrNull('YYYY-MM-DD.'),
  source: Type.String(),
  metadata: Type.Object({}, { additionalProperties: true }),
});

export const DocumentBody = Type.Object({ document: NewDocument });
export const DocumentAnswer = Type.Object({ object: Document });
export const DocumentList = Type.Object({
  object: Type.Array(Document),
  meta: Type.Object({ pagination: Pagination }),
});

export const DocumentQuery = Type.Object(PAGE_QUERY);
export type DocumentQuery = Static<typeof DocumentQuery>;
