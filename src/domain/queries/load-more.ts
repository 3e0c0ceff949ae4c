// Properties of `LoadMore` for a list that is read page by page.
import { ApiFailure } from '#src/domain/api/api.ts'
import { type LongList, fetchMore } from './query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'

export interface PagedList extends LongList {
  readonly hasNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
}

/** A list that begins in the middle. */
export interface TwoWayList extends PagedList {
  readonly hasPreviousPage: boolean
  readonly isFetchPreviousPageError: boolean
}

/** Properties for the end of a list. @param label name of the button without a failure */
export const loadMore = (list: PagedList, label: string) =>
  propertiesOf(list, label, {
    hasMore: list.hasNextPage,
    busy: list.isFetchingNextPage,
    failed: list.isFetchNextPageError,
    onMore: () => void fetchMore(list),
  })

/** Properties for the beginning of a list that begins in the middle. */
export const loadEarlier = (list: TwoWayList, label: string) =>
  propertiesOf(list, label, {
    hasMore: list.hasPreviousPage,
    busy: list.isFetchingPreviousPage,
    failed: list.isFetchPreviousPageError,
    onMore: () => void fetchMore(list, true),
  })

/** Whether the list itself could not be read; a failed page is shown at its end. */
export const hasFailed = (list: TwoWayList & { readonly isError: boolean }): boolean =>
  list.isError && !list.isFetchNextPageError && !list.isFetchPreviousPageError

interface End {
  hasMore: boolean
  busy: boolean
  failed: boolean
  onMore: () => void
}

function propertiesOf({ error }: PagedList, label: string, { failed, ...end }: End) {
  const code = error instanceof ApiFailure ? error.code : 'internal'
  return {
    ...end,
    label: failed ? text.retry : label,
    busyLabel: text.loading,
    failure: failed ? errorText[code] : undefined,
  }
}
