// What the end of a list says before, during and after reading on.
import { expect, test } from 'vitest'
import { ApiFailure } from '#src/domain/api/api.ts'
import { listEnd } from './list-end.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'

const read = () => Promise.resolve()
const list = {
  isFetching: false,
  isFetchingNextPage: false,
  isFetchingPreviousPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: read,
  fetchPreviousPage: read,
}

test('a list with a next page has the button of its screen, busy while it reads', () => {
  expect(listEnd(list, 'もっと見る')).toMatchObject({ label: 'もっと見る', busy: false, failure: undefined })
  expect(listEnd({ ...list, isFetchingNextPage: true }, 'もっと見る')).toMatchObject({ busy: true })
})

test('a failed step says why and offers another', () => {
  const failed = { ...list, isFetchNextPageError: true }
  const offline = new ApiFailure('offline', 0)
  expect(listEnd({ ...failed, error: offline }, 'もっと見る')).toMatchObject({
    label: text.retry,
    failure: errorText.offline,
  })
  expect(listEnd({ ...failed, error: new Error('x') }, 'もっと見る').failure).toBe(errorText.internal)
})

test('a failed first page or refetch is not the end’s failure', () => {
  expect(listEnd({ ...list, error: new Error('x') }, 'もっと見る').failure).toBeUndefined()
})
