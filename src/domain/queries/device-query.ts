// Reads of the device's database as queries, read again when the device changes.
import { hashKey, QueryClient, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type Change, onChange } from '#device/database/changes.ts'
import type { Subscribe } from '#src/lib/store.ts'

export interface DeviceRead<T> {
  /** Key of the read, with everything that it depends on. Components with one key share the result. */
  readonly key: readonly unknown[]
  /** @param before the previous result; undefined at first */
  readonly read: (before: T | undefined) => Promise<T>
  /** Whether a change of the device's database can change the result. */
  readonly isAbout: (change: Change) => boolean
  /** Other events that cause a read. */
  readonly alsoOn?: Subscribe
  /** Changes within this time cause one read, ms. Without it, each causes one at once. */
  readonly minInterval?: number
}

/**
 * The cache of device reads, separate from the query cache of the server, which is loaded later. Its data is not
 * refetched with the network, and unused data is removed at once.
 */
export const deviceClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  },
})

/** The key as TanStack's type has it, which is about readings of the server; device reads follow the device's changes instead. */
const keyOf = (key: readonly unknown[]) => key as unknown as QueryKey

/** Options of a read's query. A failed read is logged, and the earlier result stays. */
export function deviceQuery<T>({ key, read }: Pick<DeviceRead<T>, 'key' | 'read'>) {
  return queryOptions({
    queryKey: keyOf(key),
    refetchOnMount: 'always',
    async queryFn() {
      try {
        return await read(deviceClient.getQueryData<T>(keyOf(key)))
      } catch (error) {
        console.error('the device was not read', error)
        throw error
      }
    },
  })
}

/** Reads again at each relevant change, until the returned function is called. */
export function subscribeRead({
  key,
  isAbout,
  alsoOn,
  minInterval,
}: Omit<DeviceRead<never>, 'read'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const reread = () => {
    timer = undefined
    void rereadDevice(key)
  }
  const unsubscribes = [
    onChange((change) => {
      if (!isAbout(change)) return
      if (minInterval === undefined) reread()
      else timer ??= setTimeout(reread, minInterval)
    }),
    alsoOn?.(reread),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of unsubscribes) stop?.()
  }
}

/** Reads again now. A running read began before the change, so its result is dropped. */
export async function rereadDevice(key: readonly unknown[]): Promise<void> {
  const one = { queryKey: keyOf(key), exact: true }
  await deviceClient.cancelQueries(one)
  await deviceClient.refetchQueries(one)
}

/** A component's data of the device; undefined until it has been read. */
export function useDeviceRead<T>(it: DeviceRead<T>): T | undefined {
  const { data } = useQuery(deviceQuery(it), deviceClient)
  const follow = useEffectEvent((_hash: string) => subscribeRead(it))
  const hash = hashKey(it.key)
  useEffect(() => follow(hash), [hash])
  return data
}
