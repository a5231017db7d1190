/** Proofs of payment on the wire. Spec: endpoint 9, Proof of payment file. Four fields are all there are: OP-31. */
import { Type } from 'typebox';

export const ProofOfPayment = Type.Object({
  id: Type.String({ format: 'uuid' }),
  file_name: Type.String({ description: 'Under which name it is saved.' }),
  url: Type.String({ format: 'uri', description: 'Where the file is, without a key, until the address expires.' }),
  thumbnail: Type.String({ format: 'uri', description: 'A picture of it, in the same way.' }),
});

export const ProofList = Type.Object({ object: Type.Array(ProofOfPayment) });
