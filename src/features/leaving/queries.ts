// The query of the person's data export.
import { getExport } from '#contract/accounts/export.ts'
import { queryFor } from '#src/domain/queries/query.ts'

/** Poll interval while the zip is made, ms. */
const POLL_INTERVAL = 4000

export const exportQuery = {
  ...queryFor(getExport, {}),
  refetchInterval: (query: { state: { data?: { export: { is: string } } | undefined } }) =>
    query.state.data?.export.is === 'waiting' ? POLL_INTERVAL : false,
}
