// Starts the app: the session, the queue's door, and the page.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { TOAST_MS } from '#contract/limits.ts'
import { forgetPlaces } from './lib/list-places.ts'
import { forgetReadings, queries } from './lib/queries.ts'
import { keepSessionTrue, viewer } from './lib/session.ts'
import { createAppRouter } from './router.ts'
import './styles.css'
import { text } from './lib/text.ts'

// Nothing is said before there is something to say it about: the first page need not wait for it.
const Toasts = lazy(async () => ({ default: (await import('./ui/toasts.tsx')).Toasts }))

const router = createAppRouter({ queryClient: queries, viewer })

keepSessionTrue()
// Beside the first page, not before it.
void import('./sw-bridge.ts').then(({ startQueue }) =>
  startQueue(
    (path) => void router.navigate({ to: path }),
    () => viewer.refresh(),
  ),
)

let seen = viewer.get()
viewer.subscribe(() => {
  const before = seen
  seen = viewer.get()
  if (before.is === 'loading') return
  const samePerson =
    before.is === 'authenticated' &&
    seen.is === 'authenticated' &&
    before.user.id === seen.user.id &&
    // Whoever leaves has one page.
    before.user.deletion_due === seen.user.deletion_due
  if (samePerson) return
  forgetPlaces()
  void forgetReadings().then(() => router.invalidate())
})

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <RouterProvider router={router} />
      <Suspense>
        <Toasts timeout={TOAST_MS} label={text.toasts} closeLabel={text.close} />
      </Suspense>
    </CSPProvider>
  </StrictMode>,
)
