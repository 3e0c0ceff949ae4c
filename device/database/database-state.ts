// Whether this page can use the device's database, and when the browser deleted it.

/**
 * `blocked`: another tab with an older version of the app prevents the upgrade.
 * `outdated`: a newer version of the app has upgraded it; this page has to be reloaded.
 */
export type DatabaseState = 'open' | 'blocked' | 'outdated'

/** Whether the database cannot be opened because a newer version of the app has upgraded it. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'VersionError'

let state: DatabaseState = 'open'
const stateListeners = new Set<() => void>()
const lossListeners = new Set<() => void>()

export const databaseState = (): DatabaseState => state

/** Calls back at each change of the state, until the returned function is called. */
export function onDatabaseState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => void stateListeners.delete(listener)
}

/** Sets the state; for the module that opens the database. */
export function setDatabaseState(next: DatabaseState): void {
  if (state === next) return
  state = next
  for (const listener of stateListeners) listener()
}

/**
 * Calls back when the browser closed the connection by itself, until the returned function is called. It does so when
 * it evicts the site's data; iOS also does for an app in the background, and then nothing is lost.
 */
export function onDatabaseLost(listener: () => void): () => void {
  lossListeners.add(listener)
  return () => void lossListeners.delete(listener)
}

/** Calls the listeners of `onDatabaseLost`; for the module that opens the database. */
export function databaseLost(): void {
  for (const listener of lossListeners) listener()
}
