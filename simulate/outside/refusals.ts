/**
 * The answers after which the service may conclude that nobody has paid, or was prompted: the ones to hear too late.
 */
const NOS: readonly unknown[] = ['failed', 'not_found', 'canceled'];

export function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && NOS.includes(answer.kind);
}
