// What is read about leaving and about the person's own zip.
import { getExport } from '#contract/accounts/export.ts'
import { queryFor } from '#src/domain/queries/query.ts'

/** How often a zip under work is looked at, ms. */
const LOOK_EVERY = 4000

export const exportQuery = {
  ...queryFor(getExport, {}),
  refetchInterval: (query: { state: { data?: { export: { is: string } } | undefined } }) =>
    query.state.data?.export.is === 'waiting' ? LOOK_EVERY : false,
}
