/**
 * What is under way for a moment, such as requests. A `Set` of what comes and goes moves into a new table again and
 * again, and V8 lets each table that it has left point to the next: once one of them has grown old, all that later ones
 * ever held stays in memory until the next full collection, whole requests with their answers. An array leaves nothing
 * behind.
 */
import { assert } from './assert.ts';

interface Place<Member> {
  readonly member: Member;
  at: number;
}

export class Passing<Member> {
  readonly #places: Place<Member>[] = [];

  get size(): number {
    return this.#places.length;
  }

  /** Until what it gives is called, once. */
  add(member: Member): () => void {
    const place = { member, at: this.#places.length };
    this.#places.push(place);
    return () => this.#leave(place);
  }

  /** Those of this moment, in no order. */
  members(): Member[] {
    return this.#places.map(({ member }) => member);
  }

  /** The last one takes the place that becomes free. */
  #leave(place: Place<Member>): void {
    assert(this.#places[place.at] === place, 'who leaves is there');
    const last = this.#places.pop();
    if (last === undefined || last === place) return;
    last.at = place.at;
    this.#places[place.at] = last;
  }
}
