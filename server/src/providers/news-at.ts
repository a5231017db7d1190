/**
 * When a provider will have news, where it knows. An adapter that breaks over it knows nothing: its answer counts all
 * the same.
 */
interface KnowsNews<Order> {
  newsAt?(order: Order, now: Date): Date | undefined;
}

export function newsAtOf<Order>(provider: KnowsNews<Order> | undefined, order: Order, now: Date): Date | undefined {
  try {
    const at: unknown = provider?.newsAt?.(order, now);
    return at instanceof Date && !Number.isNaN(at.getTime()) ? at : undefined;
  } catch {
    return undefined;
  }
}
