// Starts the app: the session, the queue's door, and the page.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, startTransition, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { TOAST_MS } from '#contract/limits.ts'
import { afterFirstPage, firstPageShown, nextTask } from './lib/idle.ts'
import { listenForInstall } from './domain/install/install.ts'
import { followLaunches } from './lib/launch.ts'
import { clearPositions } from './lib/scroll-positions.ts'
import { followLostParts } from './chunk-load-error.ts'
import { clearQueryCache, provideQueryCache, queries } from './domain/queries/lazy-query-cache.ts'
import { keepSessionTrue, seemsSignedIn, viewer } from './domain/session/session.ts'
import type { Viewer } from './domain/session/viewer-state.ts'
import { createAppRouter } from './router.ts'
import './styles.css'
import { text } from './domain/text/text.ts'
import { trustOwnScripts } from './lib/trusted-types.ts'

trustOwnScripts()
provideQueryCache(() => import('./query-cache.tsx'))

// Nothing is said before there is something to say it about: the first page need not wait for it.
const Toasts = lazy(async () => {
  await afterFirstPage()
  return { default: (await import('./ui/overlays/toasts.tsx')).Toasts }
})

type AppRouter = ReturnType<typeof createAppRouter>

/** Listeners and components outside the routes, from the start. */
function listen(router: AppRouter): void {
  followLostParts(
    () => router.state.status === 'pending',
    () => void import('./sw-bridge.ts').then(({ update }) => update.found()),
  )
  listenForInstall()
  followLaunches((path) => router.history.push(path))
  keepSessionTrue()
}

/** After the first page, for as much as can be waited for it: it takes the device's database and much code. */
async function startQueueLater(router: AppRouter): Promise<void> {
  router.subscribe('onRendered', firstPageShown)
  await afterFirstPage()
  const { startQueue } = await import('./sw-bridge.ts')
  startQueue(
    (path) => router.history.push(path),
    () => viewer.refresh(),
  )
}

/** With the permission for notifications, renews the wanted subscription of a person once they are known. */
function lookAfterPush(who: Viewer): void {
  if (who.is !== 'authenticated' || !('Notification' in window) || Notification.permission !== 'granted')
    return
  const { id } = who.user
  void import('./domain/push/push.ts')
    .then(({ syncPush }) => syncPush(id))
    // Without a network or a push service the next start tries again.
    .catch((error: unknown) => console.warn('pushes were not looked after', error))
}

/** Another person, or none: data of the previous one is not shown any more. */
function followPerson(router: AppRouter): void {
  let seen = viewer.get()
  lookAfterPush(seen)
  viewer.subscribe(() => {
    const before = seen
    seen = viewer.get()
    if (!('user' in before && 'user' in seen && before.user.id === seen.user.id)) lookAfterPush(seen)
    if (before.is === 'loading') return
    const samePerson =
      before.is === 'authenticated' &&
      seen.is === 'authenticated' &&
      before.user.id === seen.user.id &&
      // A person whose account waits for its deletion has one page.
      before.user.deletion_due === seen.user.deletion_due
    if (samePerson) return
    clearPositions()
    void clearQueryCache().then(() => router.invalidate())
  })
}

function draw(router: AppRouter): void {
  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  // In slices, so that a phone handles input while the first page is drawn.
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

/** The code has just been read, which is a task already: what follows are tasks of their own. */
async function start(): Promise<void> {
  await nextTask()
  const router = createAppRouter({ queryClient: queries, viewer })
  await nextTask()
  listen(router)
  // The page's own part comes beside the word on who is looking, not after it.
  const first = router.getMatchedRoutes(router.latestLocation.pathname)[0].at(-1)
  if (first && seemsSignedIn()) router.loadRouteChunk(first)?.catch(() => undefined)
  followPerson(router)
  void startQueueLater(router)
  await nextTask()
  draw(router)
}

void start()
