// Background Sync (WICG): delivers when the browser reports a network.

// TypeScript's library does not know it.
interface SyncManager {
  register(tag: string): Promise<void>
}

/** What is registered when something is queued. */
export const SYNC_TAG = 'deliver'

/**
 * Refused in private windows, where the person turned background work off, and to a worker with no page open: then the
 * queue continues with the worker's next event.
 */
export async function registerSync(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  const known: (ServiceWorkerRegistration & { readonly sync?: SyncManager }) | undefined = registration
  await known?.sync?.register(SYNC_TAG).catch(() => undefined)
}
