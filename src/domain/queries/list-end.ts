// What the end of a list shows that is read page by page.
import { ApiFailure } from '#src/domain/api/api.ts'
import { type LongList, readOn } from './query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'

interface PagedList extends LongList {
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
}

/** Properties of `ListEnd` for a list; shown while the list has a next page. @param label name of its button */
export function listEnd(list: PagedList, label: string) {
  const failed = list.isFetchNextPageError
  const code = list.error instanceof ApiFailure ? list.error.code : 'internal'
  return {
    label: failed ? text.retry : label,
    busy: list.isFetchingNextPage,
    busyLabel: text.loading,
    failure: failed ? errorText[code] : undefined,
    onMore: () => void readOn(list),
  }
}
