// A clock just before midnight in Tokyo for a test run and its programs.
import { existsSync } from 'node:fs'

const TOKYO_MS = 9 * 3600_000

/** Libraries of Debian's package libfaketime, by processor. */
const libraries = ['x86_64', 'aarch64'].map((it) => `/usr/lib/${it}-linux-gnu/faketime/libfaketimeMT.so.1`)

/** Milliseconds from a moment to the next 23:59 in Tokyo on the last day of a month, so that day and month end together. */
export function untilLateEvening(now: number): number {
  const tokyo = new Date(now + TOKYO_MS)
  const lateOf = (month: number): number =>
    Date.UTC(tokyo.getUTCFullYear(), month + 1, 1) - 60_000 - tokyo.getTime()
  const late = lateOf(tokyo.getUTCMonth())
  return late >= 0 ? late : lateOf(tokyo.getUTCMonth() + 1)
}

/**
 * Environment that sets the clock of a command and of its servers, browsers and databases to 23:59 in Tokyo. Timers follow
 * the real clock. @throws without libfaketime
 */
export function lateClock(now = Date.now()): NodeJS.ProcessEnv {
  const library = libraries.find((it) => existsSync(it))
  if (!library) throw new Error('libfaketime is missing: apt-get install libfaketime')
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${Math.round(untilLateEvening(now) / 1000)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Chromium, V8 and PostgreSQL wait by the monotonic clock, and libfaketime's correction of such waits makes them hang.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    // Files are compared with each other's times, never with the clock.
    NO_FAKE_STAT: '1',
  }
}
