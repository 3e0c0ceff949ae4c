// Layouts: default and head-title, which the pages of members stand in.
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { SessionUser } from '#contract/session.ts'
import { Brand } from '#src/ui/brand.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { AccountButton, type Place } from './account-button.tsx'
import { Rail, Tabs } from './destinations.tsx'
import { FootSlot, HeadSlot } from './head-action.tsx'
import { text } from '#src/lib/text.ts'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

export interface FrameProps {
  me: SessionUser | undefined
  /** Known to be signed out; while that is not known, neither person nor entrance is shown. */
  visitor: boolean
  onSignOut: () => void
  /** Quiet lines about the state of things, above the page. */
  notices: ReactNode
  /** What stands over the foot of every page: the uploads on their way. */
  tray: ReactNode
  children: ReactNode
}

export function DefaultLayout({ me, onSignOut, notices, tray, children }: FrameProps) {
  return (
    <Columns me={me} onSignOut={onSignOut}>
      <header className="sticky top-0 z-20 flex h-13 items-center justify-between border-b border-line bg-paper pr-1 pl-4 rail:hidden">
        <Link to="/" aria-label={text.brand} className="inline-flex min-h-11 items-center">
          <Brand name={text.brand} />
        </Link>
        {me && <Account me={me} onSignOut={onSignOut} place="header" />}
      </header>
      {notices}
      <Main>{children}</Main>
      {me && (
        <>
          <div className="sticky bottom-[calc(56px+env(safe-area-inset-bottom,0px))] z-10 rail:bottom-0">
            {tray}
          </div>
          <div aria-hidden className="h-14 safe-bottom box-content rail:hidden" />
          <Tabs me={me} />
        </>
      )}
    </Columns>
  )
}

export function HeadTitleLayout({
  me,
  visitor,
  onSignOut,
  notices,
  tray,
  title,
  children,
}: FrameProps & { title: string }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const goBack = () => (canGoBack ? router.history.back() : void router.navigate({ to: '/' }))
  return (
    <Columns me={me} onSignOut={onSignOut}>
      <header className="sticky top-0 z-20 flex h-13 items-center gap-1 border-b border-line bg-paper pr-2 pl-1">
        <IconButton label={text.back} icon={<ChevronLeft size={26} />} onClick={goBack} />
        <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</h1>
        <div ref={setSlot} className="flex items-center" />
        {visitor && (
          <Link
            to="/login"
            search={{ to: router.state.location.href }}
            className={buttonClass('quiet', 'pill')}
          >
            {text.nav.signIn}
          </Link>
        )}
      </header>
      {notices}
      <HeadSlot value={slot}>
        <FootSlot value={foot}>
          <Main>{children}</Main>
        </FootSlot>
      </HeadSlot>
      {me && (
        <div className="sticky bottom-0 z-10 bg-paper safe-bottom">
          <div ref={setFoot} />
          {tray}
        </div>
      )}
    </Columns>
  )
}

function Columns({ me, onSignOut, children }: Pick<FrameProps, 'me' | 'onSignOut' | 'children'>) {
  return (
    <div className="mx-auto flex justify-center">
      <a
        href="#main"
        className="fixed top-2 left-2 z-70 -translate-y-16 rounded-pill bg-ink px-4 py-3 text-paper focus:translate-y-0"
      >
        {text.nav.skip}
      </a>
      {me && <Rail me={me} account={<Account me={me} onSignOut={onSignOut} place="rail" />} />}
      <div
        className={cx(
          'flex min-h-dvh w-full min-w-0 flex-col rail:max-w-160 rail:border-r rail:border-line',
          !me && 'rail:border-l',
        )}
      >
        {children}
      </div>
      <div aria-hidden className="hidden side:block side:w-20" />
    </div>
  )
}

function Main({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="flex-1 outline-none">
      {children}
    </main>
  )
}

/** The face stands at once; what it opens follows. */
function Account(props: Pick<FrameProps, 'onSignOut'> & { me: SessionUser; place: Place }) {
  // A tap that comes before the menu is not lost: the menu opens when it arrives.
  const [pressed, setPressed] = useState(false)
  const waiting = <AccountButton me={props.me} place={props.place} onClick={() => setPressed(true)} />
  return (
    <Suspense fallback={waiting}>
      <AccountMenu {...props} open={pressed} />
    </Suspense>
  )
}
