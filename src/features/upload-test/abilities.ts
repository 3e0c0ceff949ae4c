// What this browser can do for an upload, asked of the browser itself.

export interface Abilities {
  /** A service worker runs for this app. */
  worker: boolean
  backgroundSync: boolean
  push: boolean
  /** undefined where there are no notifications. */
  notifications: NotificationPermission | undefined
  storage: { persisted: boolean; quota: number | undefined; used: number | undefined } | undefined
}

/** Asks; no permission is requested by it. */
export async function readAbilities(): Promise<Abilities> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  return {
    worker: Boolean(registration?.active),
    backgroundSync: Boolean(registration) && 'SyncManager' in window,
    push: Boolean(registration) && 'PushManager' in window,
    notifications: 'Notification' in window ? Notification.permission : undefined,
    storage: await readStorage(),
  }
}

async function readStorage(): Promise<Abilities['storage']> {
  // Absent where the page did not come over HTTPS.
  const storage: StorageManager | undefined = navigator.storage
  if (!storage) return undefined
  const { quota, usage } = await storage.estimate().catch((): StorageEstimate => ({}))
  const persisted = await storage.persisted().catch(() => false)
  return { persisted, quota, used: usage }
}
