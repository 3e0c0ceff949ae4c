// Registers Background Sync (WICG), so that the queue runs when the network is back.

// TypeScript's library has no type for it.
interface SyncManager {
  register(tag: string): Promise<void>
}

/** The tag that is registered when something is queued. */
export const SYNC_TAG = 'deliver'

/**
 * Registers the tag. Browsers refuse this in private windows, when background work is turned off, and for a worker without
 * an open page: then the queue continues with the worker's next event.
 */
export async function registerSync(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  const withSync: (ServiceWorkerRegistration & { readonly sync?: SyncManager }) | undefined = registration
  await withSync?.sync?.register(SYNC_TAG).catch(() => undefined)
}
