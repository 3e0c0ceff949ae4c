// Destinations: the main navigation, as tabs on phones or as a rail.
import { Link } from '@tanstack/react-router'
import { Bell, House, Mail, PenLine, Search } from 'lucide-react'
import { Suspense, type MouseEvent, type ReactNode } from 'react'
import type { SessionUser } from '#contract/accounts/session.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Brand } from '#src/ui/brand.tsx'
import { opening } from '#src/ui/later.tsx'
import { SealMark } from '#src/ui/seal-mark.tsx'
import { cx } from '#src/ui/cx.ts'
import { emitReselected } from '#src/lib/reselect.ts'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { text } from '#src/domain/text/text.ts'

const UnreadMark = lazyOptional(async () => (await import('./unread-mark.tsx')).UnreadMark)
const UnreadMessagesMark = lazyOptional(async () => (await import('./unread-mark.tsx')).UnreadMessagesMark)
const UnreadOutside = lazyOptional(async () => (await import('./unread-mark.tsx')).UnreadOutside)
// The navigation does not wait for the count.
const Counted = opening()

const tab =
  'flex h-(--tab-bar) min-w-max flex-1 flex-col items-center justify-center gap-0.5 text-xs whitespace-nowrap text-soft aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline [&_svg]:shrink-0'
const railItem =
  'flex min-h-13 items-center justify-center rounded-pill text-soft transition-colors hover:bg-sunk hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink wide:justify-start forced-colors:aria-[current=page]:underline'

/** The link to home; a press on home itself reports a reselection. */
const homeLink = {
  activeOptions: { exact: true, includeSearch: false },
  onClick: (event: MouseEvent) => {
    if (location.pathname !== '/' || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    emitReselected()
  },
}

export function Tabs() {
  return (
    <nav
      aria-label={text.nav.main}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-paper safe-bottom"
    >
      <div className="flex">
        <Link to="/" {...homeLink} className={tab}>
          <House aria-hidden size={24} />
          {text.nav.home}
        </Link>
        <Link to="/search" className={tab}>
          <Search aria-hidden size={24} />
          {text.nav.search}
        </Link>
        <Link to="/post/upload2" className={tab}>
          <Seal />
          <span className="text-seal-text">{text.nav.publish}</span>
        </Link>
        <Link to="/notify" className={tab}>
          <Notified />
          {text.nav.notify}
        </Link>
        <Link to="/chat-messages/conversations" className={tab}>
          <Written />
          {text.nav.messages}
        </Link>
      </div>
    </nav>
  )
}

/** The bell with its count, which is loaded after the page. */
function Notified() {
  return (
    <span className="relative">
      <Bell aria-hidden size={24} />
      <span className="absolute -top-1.5 left-3.5">
        <Counted>
          <Suspense>
            <UnreadMark />
          </Suspense>
        </Counted>
      </span>
    </span>
  )
}

/** The letter with the count of unread messages. */
function Written() {
  return (
    <span className="relative">
      <Mail aria-hidden size={24} />
      <span className="absolute -top-1.5 left-3.5">
        <Counted>
          <Suspense>
            <UnreadMessagesMark />
          </Suspense>
        </Counted>
      </span>
    </span>
  )
}

/** Shows the count in the window's title and on the app's icon, once for tabs and rail. */
export function UnreadElsewhere({ me }: { me: SessionUser }) {
  return (
    <Counted>
      <Suspense>
        <UnreadOutside me={me.id} />
      </Suspense>
    </Counted>
  )
}

function Seal() {
  return (
    <span className="grid size-7 place-items-center rounded-pill border border-transparent bg-seal-fill text-on-seal">
      <PenLine aria-hidden size={16} />
    </span>
  )
}

/** `account` is the person's menu, at the foot of the rail. */
export function Rail({ me, account }: { me: SessionUser; account: ReactNode }) {
  return (
    <nav
      aria-label={text.nav.main}
      className="sticky top-0 flex h-dvh w-18 shrink-0 flex-col border-r border-line px-3 py-3 wide:w-60"
    >
      <Link
        to="/"
        aria-label={text.brand}
        className="flex h-13 items-center justify-center px-3 wide:justify-start"
      >
        <span className="wide:hidden">
          <SealMark />
        </span>
        <span className="hidden wide:block">
          <Brand name={text.brand} />
        </span>
      </Link>
      <div className="mt-3 flex flex-col gap-1">
        <Link to="/" {...homeLink} className={cx(railItem, 'gap-4 px-3.5')} aria-label={text.nav.home}>
          <House aria-hidden size={24} className="shrink-0" />
          <Word>{text.nav.home}</Word>
        </Link>
        <Link to="/search" className={cx(railItem, 'gap-4 px-3.5')} aria-label={text.nav.search}>
          <Search aria-hidden size={24} className="shrink-0" />
          <Word>{text.nav.search}</Word>
        </Link>
        <Link to="/notify" className={cx(railItem, 'gap-4 px-3.5')}>
          <Notified />
          <span className="sr-only wide:not-sr-only">{text.nav.notify}</span>
        </Link>
        <Link to="/chat-messages/conversations" className={cx(railItem, 'gap-4 px-3.5')}>
          <Written />
          <span className="sr-only wide:not-sr-only">{text.nav.messages}</span>
        </Link>
        <Link
          to="/profile/$id"
          params={{ id: me.id }}
          className={cx(railItem, 'gap-3.5 px-3')}
          aria-label={text.nav.profile}
        >
          <Avatar name={me.name} src={me.avatar_url} size={28} />
          <Word>{text.nav.profile}</Word>
        </Link>
        <Link
          to="/post/upload2"
          aria-label={text.nav.publish}
          // Hidden in the editor, which has its own red button.
          className="mt-3 flex min-h-12 items-center justify-center gap-2 rounded-pill border border-transparent bg-seal-fill font-semibold text-on-seal hover:brightness-95 aria-[current=page]:bg-sunk aria-[current=page]:text-ink"
        >
          <PenLine aria-hidden size={20} />
          <Word>{text.nav.publish}</Word>
        </Link>
      </div>
      <div className="mt-auto">{account}</div>
    </nav>
  )
}

function Word({ children }: { children: string }) {
  return <span className="hidden wide:inline">{children}</span>
}
