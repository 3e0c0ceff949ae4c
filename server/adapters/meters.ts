// What one server process measures of itself.
import { randomUUID } from 'node:crypto'
import type { LastCall } from './payments/recorded.ts'
import type { PushResults } from './push/recorded.ts'
import { createRequestTimes, type RequestTimes } from './request-times.ts'

export interface Meters {
  /** Names this process among the servers; another one after each start. */
  readonly id: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly requests: RequestTimes
  readonly pushes: PushResults
  /** Undefined while selling is off. */
  readonly provider: LastCall | undefined
}

export const createMeters = (pushes: PushResults, provider: LastCall | undefined): Meters => ({
  id: randomUUID(),
  startedAt: Date.now(),
  requests: createRequestTimes(),
  pushes,
  provider,
})
