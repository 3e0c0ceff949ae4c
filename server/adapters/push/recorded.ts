// Counts the results of pushes of the last hour, by push service.
import type { Push, Pushed } from './push.ts'

export interface PushCounts {
  readonly service: string
  readonly sent: number
  readonly failed: number
  /** Devices that the service no longer knows, which is no failure. */
  readonly expired: number
}

export interface PushResults {
  /** Services with a push in the last hour, the most used first. */
  read(): PushCounts[]
  /** Counts since the start, of the first services that were used. */
  totals(): PushCounts[]
}

const HOUR = 3600_000
/** Hosts that have counts of their own; further ones share one, since devices choose their push services. */
const MAX_SERVICES = 20
const OTHERS = '（その他）'
/** Remembered results, to bound the memory. */
const MAX_RESULTS = 20_000

type Sums = Map<string, { sent: number; failed: number; expired: number }>

/** Counts a result under its service, or under that of all further services. */
function countIn(
  sums: Sums,
  { service: host, is }: { readonly service: string; readonly is: Pushed['is'] },
): void {
  const isOther = !sums.has(host) && sums.size >= MAX_SERVICES
  const service = isOther ? OTHERS : host
  const known = sums.get(service) ?? { sent: 0, failed: 0, expired: 0 }
  sums.set(service, known)
  if (is === 'accepted') known.sent += 1
  else if (is === 'expired') known.expired += 1
  else known.failed += 1
}

const countsOf = (sums: Sums): PushCounts[] => [...sums].map(([service, it]) => ({ service, ...it }))

const hostOf = (endpoint: string): string => {
  try {
    return new URL(endpoint).host
  } catch {
    return OTHERS
  }
}

/** @returns the same push, and the results that it counts. @param clock milliseconds that go on by themselves */
export function recordPushes(
  push: Push,
  clock: () => number = () => performance.now(),
): { readonly push: Push; readonly results: PushResults } {
  const results: { at: number; service: string; is: Pushed['is'] }[] = []
  const totals: Sums = new Map()
  const isRecent = (it: { at: number }) => clock() - it.at < HOUR
  return {
    push: {
      publicKey: push.publicKey,
      accepts: (device) => push.accepts(device),
      async send(device, message) {
        const result = await push.send(device, message)
        // A text that is too large is sent again, shorter.
        if (result.is !== 'too_large') {
          const it = { service: hostOf(device.endpoint), is: result.is }
          results.push({ at: clock(), ...it })
          countIn(totals, it)
        }
        if (results.length > MAX_RESULTS) results.splice(0, MAX_RESULTS / 2)
        return result
      },
      close: () => push.close(),
    },
    results: {
      read() {
        const sums: Sums = new Map()
        for (const it of results.filter(isRecent)) countIn(sums, it)
        const total = (it: PushCounts) => it.sent + it.failed + it.expired
        return countsOf(sums).toSorted((a, b) => total(b) - total(a))
      },
      totals: () => countsOf(totals),
    },
  }
}
