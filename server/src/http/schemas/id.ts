/** An id in a path. */
import { type Static, Type } from 'typebox';

/** By a pattern of its own: the format `uuid` also takes `urn:uuid:...`, which is no id of ours. */
const ID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
export const IdParams = Type.Object({ id: Type.String({ pattern: ID, description: 'A UUID.' }) });
export type IdParams = Static<typeof IdParams>;
