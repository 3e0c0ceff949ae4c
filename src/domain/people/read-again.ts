// Reads what is shown again by the rules of its readings.
import type { Query, QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/realtime/channels.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { isoDay } from '#src/lib/format.ts'
import { isObserved } from '#src/lib/query-internals.ts'
import { type ReadingRule, readingRules, type RuledEvent } from '#src/domain/queries/reading-rules.ts'
import { isLive, listen, onJoined, onRecovered } from '#src/domain/realtime/realtime.ts'

const MINUTE = 60_000
/** Readings are compared with their rules at this interval, ms. */
const LOOK_EVERY = MINUTE
/** Readings after one kind of event are at least so far apart, ms. */
const READ_AT_MOST = 5000
/** What was read within this time is not read again because of the network alone, ms. */
const FRESH_FOR = 30_000
/** Without a live connection, what events change is read again after so many minutes. */
const WITHOUT_EVENTS = 5

const ruleOf = ({ queryKey }: Query): ReadingRule => readingRules[queryKey[0]]

const isVisible = (): boolean => document.visibilityState === 'visible'
const ageOf = ({ state }: Query): number => Date.now() - state.dataUpdatedAt

/** Whether the time of its rule is over. */
function isDue(query: Query): boolean {
  const { minutes, daily, changedBy } = ruleOf(query)
  if (daily && isoDay(query.state.dataUpdatedAt) !== isoDay(Date.now())) return true
  const limit = minutes ?? (changedBy && !isLive() ? WITHOUT_EVENTS : Number.POSITIVE_INFINITY)
  return ageOf(query) >= limit * MINUTE
}

/** Whether events that change it may have been missed. */
const mayHaveMissed = (query: Query): boolean => {
  const { changedBy, inPlace } = ruleOf(query)
  return changedBy !== undefined || inPlace !== undefined || ageOf(query) >= FRESH_FOR
}

/**
 * Reads what is shown again, and the rest when it is shown next. A hidden page reads when it is visible again. Data that is shown
 * stays until the reply.
 */
function readAgain(client: QueryClient, isMeant: (query: Query) => boolean): void {
  void client.invalidateQueries({
    predicate: (query) =>
      ruleOf(query).except === undefined && query.state.data !== undefined && isMeant(query),
    refetchType: isVisible() ? 'active' : 'none',
  })
}

/** Reads again what an event changes. */
export const readAfter = (client: QueryClient, event: RuledEvent): void =>
  readAgain(client, (query) => ruleOf(query).changedBy?.includes(event) === true)

/** Reads again all that depends on access, after a payment or a membership. */
export function readAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: (query) => (ruleOf(query).except ?? 'own') === 'own' })
}

/** Reads again by time, after gaps, and when the network is back. @returns stops it */
export function readAgainByRules(client: QueryClient): () => void {
  // A reading that is on its way is not sent twice.
  const look = () =>
    isVisible() &&
    navigator.onLine &&
    readAgain(client, (it) => it.state.fetchStatus === 'idle' && isObserved(it) && isDue(it))
  const onNetwork = () => readAgain(client, (it) => isObserved(it) && ageOf(it) >= FRESH_FOR)
  const timer = setInterval(look, LOOK_EVERY)
  addEventListener('online', onNetwork)
  const stop = onRecovered(() => readAgain(client, mayHaveMissed))
  return () => {
    clearInterval(timer)
    removeEventListener('online', onNetwork)
    stop()
  }
}

/** Events that `readAfter` follows; `membership.changed` is read by its state. */
const followed = [
  'sales.changed',
  'rights.changed',
  'notifications.changed',
  'lines.changed',
  'feed.newer',
] as const satisfies readonly (RuledEvent & EventName)[]

/** Reads again after the events of the person's own channel. @returns stops it */
export function readAfterEvents(client: QueryClient, channel: string): () => void {
  const stops = followed.flatMap((event) => {
    const limiter = createCallLimiter(READ_AT_MOST, () => readAfter(client, event))
    return [listen(channel, event, limiter.call), limiter.cancel]
  })
  // What was read before the first event could arrive may be old; a later joining follows a gap.
  const stopJoined = onJoined(channel, () => {
    stopJoined()
    readAgain(client, (it) => isObserved(it) && ruleOf(it).changedBy !== undefined && !ruleOf(it).polled)
  })
  return () => {
    stopJoined()
    for (const stop of stops) stop()
  }
}
