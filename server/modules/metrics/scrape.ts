// Replies to scrapes of Prometheus, and examines their token.
import type { Deps } from '#server/deps.ts'
import { isSameSecret } from '#server/services/payments/identifiers.ts'
import { readScraped } from '#server/store/staff/scrape.ts'
import { createDatabaseReadings } from './database-readings.ts'
import { processReadings, relayReadings } from './process-readings.ts'

/** Time of each statement of a scrape in the database, ms. */
const STATEMENT_TIME = 2000
/** Uploads without a byte for this long do not count as open, ms: they expire. */
const OPEN_UPLOAD = 7 * 24 * 3600_000

export interface Scrape {
  readonly contentType: string
  /** Simultaneous calls share one text. */
  text(): Promise<string>
}

/** @returns undefined where nothing is counted */
export function createScrape(deps: Deps): Scrape | undefined {
  const { exposition } = deps.metrics
  if (!exposition) return undefined
  const { db, clock } = deps
  const readDatabase = createDatabaseReadings({
    read: () => readScraped(db, new Date(clock() - OPEN_UPLOAD), STATEMENT_TIME),
    // Not `deps.clock`: the clock of a test does not advance by itself, and jobs are due by that of the database.
    clock: Date.now,
  })
  let running: Promise<string> | undefined
  const make = async () => {
    const [database, relay] = await Promise.all([readDatabase(), relayReadings(deps)])
    return exposition.text([...processReadings(deps), ...relay, ...database])
  }
  return {
    contentType: exposition.contentType,
    text: () => (running ??= make().finally(() => (running = undefined))),
  }
}

/** Whether a request has the token; every one has where none is set. The comparison takes the same time for any text. */
export const mayScrape = (authorization: string | undefined, token: string): boolean =>
  token === '' || isSameSecret(authorization ?? '', `Bearer ${token}`)
