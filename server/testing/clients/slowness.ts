// The slowness of what a test replaces.
import { setTimeout as pause } from 'node:timers/promises' // oxlint-disable-line house/no-sleep-in-tests -- see below

/** Makes what a test replaces slow: a connection, a balancer. A test itself waits for states. */
export const slowness = (ms: number): Promise<void> => pause(ms)
