// The root route: guards access, renders the layout and the not-found page.
import {
  createRootRouteWithContext,
  type ErrorComponentProps,
  notFound,
  Outlet,
  redirect,
  useMatches,
  useRouter,
  useRouterState,
} from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ComponentProps } from 'react'
import type { SessionUser } from '#contract/accounts/session.ts'
import type { DeliveryView } from '#src/features/publish/tray/delivery.ts'
import { EmptyLayout } from '#src/features/shell/bare-layouts.tsx'
import { Frame, loadLayouts } from '#src/features/shell/frame.tsx'
import { isMissingFile, MissingFile } from '#src/features/shell/failures/missing-file.tsx'
import { NotFound } from '#src/features/shell/failures/not-found.tsx'
import { useModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { entryOf } from '#src/domain/session/entry.ts'
import { afterFirstPage } from '#src/lib/idle.ts'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { loadQueryCache, type Queries } from '#src/domain/queries/lazy-query-cache.ts'
import { usePushOfferOpen } from '#src/domain/push/push-offer.ts'
import { useViewer } from '#src/domain/session/session.ts'
import type { ViewerStore } from '#src/domain/session/viewer.ts'
import { signOutDialog, useSignOutDialog } from '#src/domain/session/sign-out.ts'
import { pathAfterSignIn } from '#src/domain/session/wanted-path.ts'
import { setTitle } from '#src/features/shell/title.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { TopLine } from '#src/ui/states/top-line.tsx'
import { text } from '#src/domain/text/text.ts'

// Guest pages read no data; all others are inside the cache.
const QueryCache = lazy(async () => ({ default: (await loadQueryCache()).QueryCache }))
// Content above and below a page is loaded after it.
const Notices = lazyOptional(async () => {
  await afterFirstPage()
  return (await import('#src/features/shell/notices.tsx')).Notices
})
const UploadTray = lazyOptional(async () => {
  await afterFirstPage()
  return (await import('#src/features/publish/tray/upload-tray.tsx')).UploadTray
})
const UploadWatch = lazyOptional(async () => {
  await afterFirstPage()
  return (await import('#src/features/publish/tray/upload-watch.tsx')).UploadWatch
})
const UnsentLost = lazyOptional(async () => {
  await afterFirstPage()
  return (await import('#src/features/publish/tray/unsent-lost.tsx')).UnsentLost
})
const OpenModeration = lazyOptional(
  async () => (await import('#src/features/reports/open-moderation.tsx')).OpenModeration,
)
const PushSheet = lazyOptional(async () => (await import('#src/features/push/push-sheet.tsx')).PushSheet)
const SignOut = lazy(async () => ({ default: (await import('#src/features/devices/sign-out.tsx')).SignOut }))

export interface RootContext {
  queryClient: Queries
  viewer: ViewerStore
}

export const Route = createRootRouteWithContext<RootContext>()({
  staticData: { access: 'open', layout: 'empty', title: text.notFound },
  async beforeLoad({ context, location, matches }) {
    const { access, whileLeaving, secret } = matches.at(-1)?.staticData ?? { access: 'open' }
    // First, so that the secret is neither in the address nor in that of the sign-in page.
    if (secret && /[#?&](token|stop|invite|session_id)=/.test(location.href)) {
      const { takeSecret } = await import('#src/domain/session/link-secret.ts')
      throw redirect({ href: takeSecret(secret, location), replace: true })
    }
    if (access !== 'guest') void loadQueryCache()
    if (access === 'open') return
    if (access !== 'guest') void loadLayouts()
    // Member pages open by the device's session: the server checks each of their calls.
    const seen = await (access === 'member' ? context.viewer.fromDevice() : context.viewer.checked())
    const entry = entryOf(access, seen)
    if (entry === 'not-found') throw notFound()
    if (entry === 'sign-in') {
      // After a sign-out the next person begins at home.
      const to = location.href === '/' || signOutDialog.isOpen() ? undefined : location.href
      throw redirect({ to: '/login', search: { to }, replace: true })
    }
    if (access !== 'guest' && !whileLeaving && 'user' in seen && seen.user.deletion_due !== undefined)
      throw redirect({ to: '/user/delete-account/waiting', replace: true })
    if (entry === 'home' && seen.is === 'authenticated') {
      const { to } = location.search as { to?: unknown }
      throw redirect({ href: pathAfterSignIn(to, location.pathname, seen.user), replace: true })
    }
  },
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: RootFailure,
})

/** Section 2: the not-found page is also shown when the root itself fails. A file that did not arrive is no error of the root. */
function RootFailure({ error }: ErrorComponentProps) {
  return <EmptyLayout>{isMissingFile(error) ? <MissingFile /> : <NotFound />}</EmptyLayout>
}

function Root() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  const viewer = useViewer()
  const me = viewer.is === 'authenticated' ? viewer.user : undefined
  const loading = useRouterState({ select: (state) => state.isLoading })
  // An address without a page: the root itself is the last match, or the page reported it while loading.
  const lost = useMatches({
    select: (matches) => matches.some((it) => it.status === 'notFound' || it._notFound),
  })
  const title = lost ? text.notFound : (page?.title ?? '')
  useEffect(() => {
    setTitle(title)
  }, [title])
  const frame = <PageFrame layout={lost ? 'empty' : (page?.layout ?? 'empty')} title={title} me={me} />
  return (
    <>
      <TopLine active={loading} after={200} duration={2000} />
      <Announcer title={title} />
      {page?.access === 'guest' ? (
        frame
      ) : (
        <Suspense>
          <QueryCache>
            {frame}
            {/* A step to a page in another layout takes none of these away. */}
            {me && <MemberParts me={me} />}
          </QueryCache>
        </Suspense>
      )}
      {me && <Leaving me={me} />}
    </>
  )
}

type PageFrameProps = Pick<ComponentProps<typeof Frame>, 'layout' | 'title' | 'me'>

/** The page in its layout. */
function PageFrame({ layout, title, me }: PageFrameProps) {
  return (
    <Frame
      layout={layout}
      title={title}
      me={me}
      visitor={useViewer().is === 'unauthenticated'}
      onSignOut={signOutDialog.open}
      notices={
        <Suspense>
          <Notices />
        </Suspense>
      }
      tray={
        me && (
          <Suspense>
            <UploadTray ownerId={me.id} />
            <UnsentLost key={me.id} ownerId={me.id} />
          </Suspense>
        )
      }
    >
      <Outlet />
    </Frame>
  )
}

/** Parts beside every page of a member: uploads, moderation dialogs, the offer of pushes. */
function MemberParts({ me }: { me: SessionUser }) {
  const router = useRouter()
  const isModerating = useModerationRequest() !== undefined
  const offersPush = usePushOfferOpen()
  const editAgain = ({ id, kind, protocol }: Pick<DeliveryView, 'id' | 'kind' | 'protocol'>) =>
    void (kind === 'identity'
      ? router.navigate({ to: '/user/verify-identity' })
      : router.navigate({
          to: protocol === 'tus' ? '/post/upload2' : '/post/upload',
          search: { draft: id },
        }))
  return (
    <>
      <Suspense>
        <UploadWatch key={me.id} ownerId={me.id} onEdit={editAgain} />
      </Suspense>
      {isModerating && (
        <Suspense>
          <OpenModeration />
        </Suspense>
      )}
      {offersPush && (
        <Suspense>
          <PushSheet ownerId={me.id} />
        </Suspense>
      )}
    </>
  )
}

/** The sign-out dialog, and the navigation after a sign-out. */
function Leaving({ me }: { me: SessionUser }) {
  const router = useRouter()
  const leaving = useSignOutDialog()
  async function left(from: string) {
    signOutDialog.close()
    // The guard may have opened the sign-in page, and the person another one.
    if (router.latestLocation.pathname === from) await router.navigate({ to: '/login' })
    toast(text.nav.signedOut)
  }
  if (!leaving) return null
  return (
    <Suspense>
      <SignOut me={me} onLeft={(from) => void left(from)} onStay={signOutDialog.close} />
    </Suspense>
  )
}

/** Announces the new title after a navigation; the browser announces page loads. */
function Announcer({ title }: { title: string }) {
  const [seen, setSeen] = useState(title)
  const [announced, setAnnounced] = useState('')
  if (seen !== title) {
    setSeen(title)
    setAnnounced(title)
  }
  return <output className="sr-only">{announced}</output>
}
