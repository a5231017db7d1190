/** Pages of lists: what a query may ask for, and what the answer tells about it. Open points OP-39, OP-40 and OP-94. */
import { Type } from 'typebox';

const DEFAULT_PER = 10;
const MAX_PER = 100;
/** Nobody reads that far; it keeps the arithmetic of the database in bounds. */
const MAX_PAGE = 1_000_000;

/** For the query of a list, beside its own filters. */
export const PAGE_QUERY = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: 'Counted from 1; 1 when not given.' }),
  ),
  per: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PER, description: `Objects on a page; ${DEFAULT_PER} when not given.` }),
  ),
};

export const Pagination = Type.Object({
  current_page: Type.Integer(),
  next_page: Type.Union([Type.Integer(), Type.Null()]),
  prev_page: Type.Union([Type.Integer(), Type.Null()]),
  total_pages: Type.Integer(),
  total_count: Type.Integer(),
});

interface PageAsked {
  readonly page: number;
  readonly per: number;
}

export function pageOf(query: { readonly page?: number; readonly per?: number }): PageAsked {
  return { page: query.page ?? 1, per: query.per ?? DEFAULT_PER };
}

export function paginationOf({ page, per }: PageAsked, totalCount: number) {
  const totalPages = Math.ceil(totalCount / per);
  // Behind the end, the page before is the last one that there is.
  const before = Math.min(page - 1, totalPages);
  return {
    current_page: page,
    next_page: page < totalPages ? page + 1 : null,
    prev_page: before > 0 ? before : null,
    total_pages: totalPages,
    total_count: totalCount,
  };
}
