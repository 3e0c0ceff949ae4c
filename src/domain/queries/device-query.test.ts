// Reads of the device's database that are repeated at its changes.
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { type Change, emitChange } from '#device/database/changes.ts'
import { deviceClient, deviceQuery, type DeviceRead, followDevice, rereadDevice } from './device-query.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  deviceClient.clear()
})

const change: Change = { store: 'jobs', id: 'a' }

/** A read whose answers are given one by one, shown by one component. */
function shown(more: Partial<DeviceRead<string>> = {}) {
  const asked: {
    before: string | undefined
    answer: (value: string) => void
    fail: (error: Error) => void
  }[] = []
  const it: DeviceRead<string> = {
    key: ['thing', 'person'],
    read: (before) => new Promise((resolve, reject) => asked.push({ before, answer: resolve, fail: reject })),
    isAbout: ({ store }) => store === 'jobs',
    ...more,
  }
  const observer = new QueryObserver(deviceClient, deviceQuery(it))
  const values: (string | undefined)[] = []
  stops.push(
    observer.subscribe(({ data }) => {
      if (values.at(-1) !== data) values.push(data)
    }),
    followDevice(it),
  )
  const answer = async (index: number, value: string) => {
    asked[index]?.answer(value)
    await vi.waitFor(() => expect(deviceClient.isFetching()).toBe(0))
  }
  return { asked, values, answer }
}

const times = (asked: readonly unknown[], count: number) =>
  vi.waitFor(() => expect(asked).toHaveLength(count))

test('the device is read at once, and again at a change that the read is about', async () => {
  const { asked, values, answer } = shown()
  await times(asked, 1)
  await answer(0, 'one')
  emitChange({ store: 'media', id: 'a' })
  emitChange(change)
  await times(asked, 2)
  await answer(1, 'two')
  expect(values).toEqual(['one', 'two'])
  expect(asked.map(({ before }) => before)).toEqual([undefined, 'one'])
})

test('a change during the first read is read: what that read brings is dropped', async () => {
  const { asked, values, answer } = shown()
  await times(asked, 1)
  emitChange(change)
  await times(asked, 2)
  asked[0]?.answer('of before the change')
  await answer(1, 'of after it')
  expect(values).toEqual(['of after it'])
})

test('a later read counts, whatever order the answers come in', async () => {
  const { asked, values, answer } = shown()
  await times(asked, 1)
  await answer(0, 'one')
  emitChange(change)
  await times(asked, 2)
  emitChange(change)
  await times(asked, 3)
  await answer(2, 'three')
  asked[1]?.answer('two')
  await rereadDone(asked, answer)
  expect(values).toEqual(['one', 'three', 'four'])
})

async function rereadDone(
  asked: readonly unknown[],
  answer: (index: number, value: string) => Promise<void>,
) {
  void rereadDevice(['thing', 'person'])
  await times(asked, 4)
  await answer(3, 'four')
}

test('a read that fails is logged, and leaves what was read', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  stops.push(() => log.mockRestore())
  const { asked, values, answer } = shown()
  await times(asked, 1)
  await answer(0, 'one')
  emitChange(change)
  await times(asked, 2)
  asked[1]?.fail(new Error('no database'))
  await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(1))
  emitChange(change)
  await times(asked, 3)
  await answer(2, 'two')
  expect(values).toEqual(['one', 'two'])
})

test('other events are followed by a read too, until the component has gone', async () => {
  let emit = () => {}
  let following = 0
  const also = (listener: () => void) => {
    emit = listener
    following++
    return () => void following--
  }
  const { asked, answer } = shown({ also })
  await times(asked, 1)
  await answer(0, 'one')
  emit()
  await times(asked, 2)
  await answer(1, 'two')
  for (const stop of stops.splice(0)) stop()
  expect(following).toBe(0)
  emitChange(change)
  await vi.waitFor(() => expect(deviceClient.getQueryCache().getAll()).toEqual([]))
  expect(asked).toHaveLength(2)
})

test('changes within the given time are followed by one read', async () => {
  const { asked, answer } = shown({ every: 20 })
  await times(asked, 1)
  await answer(0, 'one')
  for (let n = 0; n < 5; n++) emitChange(change)
  expect(asked).toHaveLength(1)
  await times(asked, 2)
  await answer(1, 'two')
  expect(asked).toHaveLength(2)
})
