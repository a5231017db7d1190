/** Whether two records say the same: field by field, moments by their time, everything else by identity. */
export function sameFields<Fields extends object>(one: Fields, other: Fields): boolean {
  if (one === other) return true;
  for (const name in one) {
    const [value, against] = [one[name], other[name]];
    if (value === against) continue;
    if (!(value instanceof Date && against instanceof Date) || value.getTime() !== against.getTime()) return false;
  }
  return true;
}
