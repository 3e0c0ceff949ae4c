// Properties of the button at the end of a list, in each state.
import { expect, test } from 'vitest'
import { ApiFailure } from '#src/domain/api/api.ts'
import { loadEarlier, loadMore } from './load-more.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'

const read = () => Promise.resolve()
const list = {
  hasNextPage: true,
  hasPreviousPage: false,
  isFetchPreviousPageError: false,
  isFetching: false,
  isFetchingNextPage: false,
  isFetchingPreviousPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: read,
  fetchPreviousPage: read,
}

test('a list with a next page has the button of its screen, busy while it reads', () => {
  expect(loadMore(list, 'もっと見る')).toMatchObject({ label: 'もっと見る', busy: false, failure: undefined })
  expect(loadMore({ ...list, isFetchingNextPage: true }, 'もっと見る')).toMatchObject({ busy: true })
})

test('a failed page shows the reason and a retry', () => {
  const failed = { ...list, isFetchNextPageError: true }
  const offline = new ApiFailure('offline', 0)
  expect(loadMore({ ...failed, error: offline }, 'もっと見る')).toMatchObject({
    label: text.retry,
    failure: errorText.offline,
  })
  expect(loadMore({ ...failed, error: new Error('x') }, 'もっと見る').failure).toBe(errorText.internal)
})

test('a failed first page or refetch is not shown at the end', () => {
  expect(loadMore({ ...list, error: new Error('x') }, 'もっと見る').failure).toBeUndefined()
})

test('a list that was read to its end has no button', () => {
  expect(loadMore(list, 'もっと見る').hasMore).toBe(true)
  expect(loadMore({ ...list, hasNextPage: false }, 'もっと見る').hasMore).toBe(false)
})

test('both ends of a list that begins in the middle have their own state', () => {
  const failed = { ...list, hasPreviousPage: true, isFetchPreviousPageError: true, error: new Error('x') }
  expect(loadEarlier(failed, '前へ')).toMatchObject({ hasMore: true, label: text.retry })
  expect(loadMore(failed, 'もっと見る')).toMatchObject({ label: 'もっと見る', failure: undefined })
  expect(loadEarlier({ ...list, isFetchingNextPage: true }, '前へ')).toMatchObject({
    hasMore: false,
    busy: false,
  })
})

test('each end fetches its own pages', () => {
  const fetched: string[] = []
  const note = (direction: string) => async () => void fetched.push(direction)
  const both = { ...list, fetchNextPage: note('next'), fetchPreviousPage: note('previous') }
  loadMore(both, '').onMore()
  loadEarlier(both, '').onMore()
  expect(fetched).toEqual(['next', 'previous'])
})
