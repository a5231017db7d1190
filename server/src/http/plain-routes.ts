/**
 * Options of routes whose bodies the domain itself reads and shows. Their schemas describe the interface; the checks
 * that refuse are the domain's, which tells all faults at once and knows the account.
 */

/** The views are whole as they are: a serializer made from the schema would drop what it does not know. */
export const serializerCompiler = () => JSON.stringify;
export const validatorCompiler = () => () => true;
