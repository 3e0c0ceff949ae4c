// Reads of the device's database are repeated at its changes.
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { type Change, emitChange } from '#device/database/changes.ts'
import { deviceClient, deviceQuery, type DeviceRead, subscribeRead, rereadDevice } from './device-query.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  deviceClient.clear()
})

const change: Change = { store: 'jobs', id: 'a' }

/** A read whose results the test sends, displayed by one component. */
function shown(more: Partial<DeviceRead<string>> = {}) {
  const reads: {
    before: string | undefined
    resolve: (value: string) => void
    fail: (error: Error) => void
  }[] = []
  const it: DeviceRead<string> = {
    key: ['thing', 'person'],
    read: (before) => new Promise((resolve, reject) => reads.push({ before, resolve, fail: reject })),
    isAbout: ({ store }) => store === 'jobs',
    ...more,
  }
  const observer = new QueryObserver(deviceClient, deviceQuery(it))
  const values: (string | undefined)[] = []
  stops.push(
    observer.subscribe(({ data }) => {
      if (values.at(-1) !== data) values.push(data)
    }),
    subscribeRead(it),
  )
  const answer = async (index: number, value: string) => {
    reads[index]?.resolve(value)
    await expect.poll(() => deviceClient.isFetching()).toBe(0)
  }
  return { reads, values, answer }
}

const times = async (reads: readonly unknown[], count: number) => {
  await expect.poll(() => reads).toHaveLength(count)
}

test('the device is read at once, and again at a relevant change', async () => {
  const { reads, values, answer } = shown()
  await times(reads, 1)
  await answer(0, 'one')
  emitChange({ store: 'media', id: 'a' })
  emitChange(change)
  await times(reads, 2)
  await answer(1, 'two')
  expect(values).toEqual(['one', 'two'])
  expect(reads.map(({ before }) => before)).toEqual([undefined, 'one'])
})

test('a change during the first read is read again, and the first result is dropped', async () => {
  const { reads, values, answer } = shown()
  await times(reads, 1)
  emitChange(change)
  await times(reads, 2)
  reads[0]?.resolve('of before the change')
  await answer(1, 'of after it')
  expect(values).toEqual(['of after it'])
})

test('the result of the latest read is shown, in any order of results', async () => {
  const { reads, values, answer } = shown()
  await times(reads, 1)
  await answer(0, 'one')
  emitChange(change)
  await times(reads, 2)
  emitChange(change)
  await times(reads, 3)
  await answer(2, 'three')
  reads[1]?.resolve('two')
  await rereadDone(reads, answer)
  expect(values).toEqual(['one', 'three', 'four'])
})

async function rereadDone(
  reads: readonly unknown[],
  answer: (index: number, value: string) => Promise<void>,
) {
  void rereadDevice(['thing', 'person'])
  await times(reads, 4)
  await answer(3, 'four')
}

test('a failed read is logged, and the earlier result stays', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  stops.push(() => log.mockRestore())
  const { reads, values, answer } = shown()
  await times(reads, 1)
  await answer(0, 'one')
  emitChange(change)
  await times(reads, 2)
  reads[1]?.fail(new Error('no database'))
  await expect.poll(() => log).toHaveBeenCalledTimes(1)
  emitChange(change)
  await times(reads, 3)
  await answer(2, 'two')
  expect(values).toEqual(['one', 'two'])
})

test('other events cause a read too, until the component is unmounted', async () => {
  let emit = () => {}
  let following = 0
  const also = (listener: () => void) => {
    emit = listener
    following++
    return () => void following--
  }
  const { reads, answer } = shown({ alsoOn: also })
  await times(reads, 1)
  await answer(0, 'one')
  emit()
  await times(reads, 2)
  await answer(1, 'two')
  for (const stop of stops.splice(0)) stop()
  expect(following).toBe(0)
  emitChange(change)
  await expect.poll(() => deviceClient.getQueryCache().getAll()).toEqual([])
  expect(reads).toHaveLength(2)
})

test('changes within the given time cause one read', async () => {
  const { reads, answer } = shown({ minInterval: 20 })
  await times(reads, 1)
  await answer(0, 'one')
  for (let n = 0; n < 5; n++) emitChange(change)
  expect(reads).toHaveLength(1)
  await times(reads, 2)
  await answer(1, 'two')
  expect(reads).toHaveLength(2)
})
