/** Files that are served under addresses which expire, for the description of the interface. */
import { type Static, Type } from 'typebox';
import { FILE_FORMS } from '../../transactions/find-proofs.ts';

/** Small letters only: an address is used as it was given. */
const ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const id = () => Type.String({ pattern: ID, description: 'As in the address that was given.' });

export const FileParams = Type.Object({
  account_id: id(),
  recipient_id: id(),
  file_id: id(),
  form: Type.Enum([...FILE_FORMS], { description: 'The file, or a picture of it.' }),
});
export type FileParams = Static<typeof FileParams>;

/** Of any form: what is wrong with it is answered like any other address that names nothing. */
export const FileQuery = Type.Object({
  expires: Type.Optional(Type.Unknown({ description: 'Seconds since 1970.' })),
  signature: Type.Optional(Type.Unknown({ description: 'Proves that the service gave this address.' })),
});
export type FileQuery = Static<typeof FileQuery>;

export const FILE_RESPONSE = {
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};
