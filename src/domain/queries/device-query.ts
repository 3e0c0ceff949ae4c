// Reads of the device's database as queries, read again when the device changes.
import { hashKey, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type Change, onChange } from '#device/database/changes.ts'
import type { Subscribe } from '#src/lib/store.ts'

export interface DeviceRead<T> {
  /** Names the read, with everything that it depends on. Components with one key share what was read. */
  readonly key: readonly unknown[]
  /** @param before what was read the last time; undefined at first */
  readonly read: (before: T | undefined) => Promise<T>
  /** Whether a change of the device's database can change what is read. */
  readonly isAbout: (change: Change) => boolean
  /** Other events after which it is read again. */
  readonly also?: Subscribe
  /** Changes within this time are followed by one read, ms. Each is followed by one at once when absent. */
  readonly every?: number
}

/**
 * Separate from the cache of server replies: it is needed where that is not loaded, and data of the device is neither
 * stored twice nor refetched with the network. Unused data is removed at once.
 */
export const deviceClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  },
})

/** Options of the query of a read. A read that fails is logged, and leaves what was read before. */
export function deviceQuery<T>({ key, read }: Pick<DeviceRead<T>, 'key' | 'read'>) {
  return queryOptions({
    queryKey: key,
    refetchOnMount: 'always',
    async queryFn() {
      try {
        return await read(deviceClient.getQueryData<T>(key))
      } catch (error) {
        console.error('the device was not read', error)
        throw error
      }
    },
  })
}

/** Reads again at each change that the read is about, until the returned function is called. */
export function followDevice({ key, isAbout, also, every }: Omit<DeviceRead<never>, 'read'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    timer = undefined
    void rereadDevice(key)
  }
  const stops = [
    onChange((change) => {
      if (!isAbout(change)) return
      if (every === undefined) again()
      else timer ??= setTimeout(again, every)
    }),
    also?.(again),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop?.()
  }
}

/** Reads again now. A read that is under way began before the change, so what it brings is dropped. */
export async function rereadDevice(key: readonly unknown[]): Promise<void> {
  const one = { queryKey: key, exact: true }
  await deviceClient.cancelQueries(one)
  await deviceClient.refetchQueries(one)
}

/** What a component shows of the device; undefined until it has been read. */
export function useDeviceRead<T>(it: DeviceRead<T>): T | undefined {
  const { data } = useQuery(deviceQuery(it), deviceClient)
  const follow = useEffectEvent((_hash: string) => followDevice(it))
  const hash = hashKey(it.key)
  useEffect(() => follow(hash), [hash])
  return data
}
