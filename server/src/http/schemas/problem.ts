/** Every answer that is neither a success nor a 422. Spec: Errors. Open points OP-67, OP-73, OP-92. */
import { Type } from 'typebox';

export const Problem = Type.Object({
  status: Type.Integer({ description: 'The status of the answer, once more.' }),
  error: Type.String({ description: 'For people.' }),
});
