// Starts the app: the session, the page and the queue.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, startTransition, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { TOAST_MS } from '#contract/limits.ts'
import { delay } from '#device/delay.ts'
import { afterFirstPage, firstPageShown, nextTask } from './lib/idle.ts'
import { listenForInstall } from './domain/install/install.ts'
import { listenForLaunches } from './lib/launch.ts'
import { clearPositions } from './lib/scroll-positions.ts'
import { handleMissingChunks } from './chunk-load-error.ts'
import { clearQueryCache, provideQueryCache, queries } from './domain/queries/lazy-query-cache.ts'
import { startSessionRefresh, seemsSignedIn, viewer } from './domain/session/session.ts'
import type { Viewer } from './domain/session/viewer-state.ts'
import { createAppRouter } from './router.ts'
import './styles.css'
import { text } from './domain/text/text.ts'
import { trustOwnScripts } from './lib/trusted-types.ts'

trustOwnScripts()
provideQueryCache(() => import('./query-cache.tsx'))

/** Wait before code that failed to load is loaded again, ms. */
const RELOAD_MS = 15_000

// Toasts are loaded after the first page, which shows none. They are outside the routes: a failure would take the page away.
const Toasts = lazy(async () => {
  await afterFirstPage()
  for (;;)
    try {
      return { default: (await import('./ui/overlays/toasts.tsx')).Toasts }
    } catch (error) {
      console.warn('toasts are loaded again', error)
      await delay(RELOAD_MS)
    }
})

type AppRouter = ReturnType<typeof createAppRouter>

/** Registers listeners that are outside the routes. */
function listen(router: AppRouter): void {
  handleMissingChunks(
    () => router.state.status === 'pending',
    () => void import('./sw-bridge.ts').then(({ update }) => update.found()),
  )
  listenForInstall()
  listenForLaunches((path) => router.history.push(path))
  startSessionRefresh()
}

/** Starts the queue after the first page, since it loads the database and much code. */
async function startQueueLater(router: AppRouter): Promise<void> {
  router.subscribe('onRendered', firstPageShown)
  await afterFirstPage()
  const { startQueue } = await import('./sw-bridge.ts')
  startQueue(
    (path) => router.history.push(path),
    () => viewer.refresh(),
  )
}

/** Synchronises the push subscription of a signed-in person, if notifications are permitted. */
function syncPushOf(who: Viewer): void {
  if (who.is !== 'authenticated' || !('Notification' in window) || Notification.permission !== 'granted')
    return
  const { id } = who.user
  void import('./domain/push/push.ts')
    .then(({ syncPush }) => syncPush(id))
    // The next start tries again.
    .catch((error: unknown) => console.warn('the push subscription was not synchronised', error))
}

/** Follows changes of the account. Removes cached pages of the previous one, and replaces its push subscription. */
function watchAccount(router: AppRouter): void {
  let current = viewer.get()
  syncPushOf(current)
  viewer.subscribe(() => {
    const [previous, next] = [current, viewer.get()]
    current = next
    const isSamePerson = 'user' in previous && 'user' in next && previous.user.id === next.user.id
    if (!isSamePerson) syncPushOf(next)
    if (previous.is === 'loading') return
    // An account that is leaving sees other pages.
    if (isSamePerson && previous.user.deletion_due === next.user.deletion_due) return
    clearPositions()
    void clearQueryCache().then(() => router.invalidate())
  })
}

function draw(router: AppRouter): void {
  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  // As a transition, so that input is handled while the first page is rendered.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <RouterProvider router={router} />
          <Suspense>
            <Toasts timeout={TOAST_MS} label={text.toasts} closeLabel={text.close} />
          </Suspense>
        </CSPProvider>
      </StrictMode>,
    ),
  )
}

/** Starts in several tasks, so that no task is long. */
async function start(): Promise<void> {
  await nextTask()
  const router = createAppRouter({ queryClient: queries, viewer })
  await nextTask()
  listen(router)
  // The script of the page is loaded in parallel with the session check.
  const leafRoute = router.getMatchedRoutes(router.latestLocation.pathname)[0].at(-1)
  if (leafRoute && seemsSignedIn()) router.loadRouteChunk(leafRoute)?.catch(() => undefined)
  watchAccount(router)
  void startQueueLater(router)
  await nextTask()
  draw(router)
}

void start()
