// Layouts: default and head-title, for the pages of members.
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SessionUser } from '#contract/accounts/session.ts'
import { Brand } from '#src/ui/brand.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Rail, Tabs, UnreadElsewhere } from './destinations.tsx'
import { FootSlot, HeadSlot, TitleSlot } from './head-action.tsx'
import { useHasRail } from './use-has-rail.ts'
import { text } from '#src/domain/text/text.ts'

export interface FrameProps {
  me: SessionUser | undefined
  /** Whether the viewer is signed out; false during the session check. */
  visitor: boolean
  onSignOut: () => void
  /** Banners above the page. */
  notices: ReactNode
  /** Shown above the foot of every page: the deliveries. */
  tray: ReactNode
  children: ReactNode
}

export function DefaultLayout({ me, onSignOut, notices, tray, children }: FrameProps) {
  const hasRail = useHasRail()
  return (
    <Columns me={me} onSignOut={onSignOut}>
      {!hasRail && (
        <header className="stays-on-top top-0 z-20 flex min-h-(--head) items-center justify-between border-b border-line bg-paper pr-1 pl-4">
          <Link to="/" aria-label={text.brand} className="inline-flex min-h-11 items-center">
            <Brand name={text.brand} />
          </Link>
          {me && <AccountMenu me={me} onSignOut={onSignOut} place="header" />}
        </header>
      )}
      {notices}
      <Main>{children}</Main>
      {me && (
        <>
          <div className="sticky bottom-[calc(var(--tab-bar)+env(safe-area-inset-bottom,0px))] z-10 rail:bottom-0">
            {tray}
          </div>
          {!hasRail && (
            <>
              <div aria-hidden className="box-content h-(--tab-bar) safe-bottom" />
              <Tabs />
            </>
          )}
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
  const [ownTitle, setOwnTitle] = useState<HTMLElement | null>(null)
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const goBack = () => (canGoBack ? router.history.back() : void router.navigate({ to: '/' }))
  return (
    <Columns me={me} onSignOut={onSignOut}>
      <header className="stays-on-top top-0 z-20 flex min-h-(--head) items-center gap-1 border-b border-line bg-paper pr-2 pl-1">
        <IconButton label={text.back} icon={<ChevronLeft size={26} />} onClick={goBack} />
        <div ref={setOwnTitle} className="peer min-w-0 flex-1 empty:hidden" />
        <h1 className="min-w-0 flex-1 truncate text-lg font-semibold peer-not-empty:sr-only">{title}</h1>
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
          <TitleSlot value={ownTitle}>
            <Main>{children}</Main>
          </TitleSlot>
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
  const hasRail = useHasRail()
  return (
    <div className="mx-auto flex justify-center">
      <a
        href="#main"
        className="fixed -top-2 left-2 z-70 -translate-y-full rounded-pill border border-transparent bg-ink px-4 py-3 text-paper focus:top-0 focus:translate-y-2"
      >
        {text.nav.skip}
      </a>
      {me && hasRail && <Rail me={me} account={<AccountMenu me={me} onSignOut={onSignOut} place="rail" />} />}
      {me && <UnreadElsewhere me={me} />}
      <div
        className={cx(
          // A page that fills the window scrolls inside itself.
          'flex min-h-dvh w-full min-w-0 flex-col has-data-fills-window:h-dvh rail:max-w-160 has-data-wide:rail:max-w-240 rail:border-r rail:border-line',
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
    <main
      id="main"
      tabIndex={-1}
      className="flex-1 outline-none has-data-fills-window:flex has-data-fills-window:min-h-0 has-data-fills-window:flex-col"
    >
      {children}
    </main>
  )
}
