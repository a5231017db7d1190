/** Small forms that many objects on the wire share. */
import { Type } from 'typebox';

export const bag = (description: string) => Type.Object({}, { additionalProperties: true, description });
export const metadata = bag("The caller's free storage.");
export const uuid = (description: string) => Type.String({ format: 'uuid', description });
export const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
export const headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });
