// Features of this browser that matter for an upload, measured at run time.

export interface Abilities {
  /** A service worker runs for this app. */
  worker: boolean
  backgroundSync: boolean
  push: boolean
  /** undefined where there are no notifications. */
  notifications: NotificationPermission | undefined
  storage: { persisted: boolean; quota: number | undefined; used: number | undefined } | undefined
}

/** Reads the features without requesting a permission. */
export async function readAbilities(): Promise<Abilities> {
  const registration = await worker()
  return {
    worker: Boolean(registration?.active),
    backgroundSync: Boolean(registration) && 'SyncManager' in window,
    push: Boolean(registration) && 'PushManager' in window,
    notifications: 'Notification' in window ? Notification.permission : undefined,
    storage: await readStorage(),
  }
}

/** At the first visit the worker is still being installed. */
const INSTALL_MS = 5000

async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  // Undefined without HTTPS.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (!container) return undefined
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), INSTALL_MS))
  return (await Promise.race([container.ready, late])) ?? container.getRegistration().catch(() => undefined)
}

async function readStorage(): Promise<Abilities['storage']> {
  // Undefined without HTTPS.
  const storage: StorageManager | undefined = navigator.storage
  if (!storage) return undefined
  const { quota, usage } = await storage.estimate().catch((): StorageEstimate => ({}))
  const persisted = await storage.persisted().catch(() => false)
  return { persisted, quota, used: usage }
}
