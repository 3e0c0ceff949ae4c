// UrgentNotices: urgent notices of the operator as bars above the page.
import { Link } from '@tanstack/react-router'
import { Megaphone, X } from 'lucide-react'
import { useEffect } from 'react'
import { useViewer } from '#src/domain/session/session.ts'
import { notifyText as words } from '#src/domain/notifications/text.ts'
import { useStore } from '#src/lib/store.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { bars, type Bars, closeBarOf, watchBars } from './urgent-bars.ts'

export function UrgentNotices() {
  const viewer = useViewer()
  const me = viewer.is === 'authenticated' ? viewer.user.id : undefined
  const known = viewer.is !== 'loading'
  useEffect(() => (known ? watchBars(me) : undefined), [known, me])
  const shown = useStore(bars)
  if (shown.length === 0) return null
  return (
    <section aria-label={words.bars} className="border-b border-line bg-sunk">
      {shown.map((bar) => (
        <Bar key={bar.id} bar={bar} isMember={me !== undefined} />
      ))}
    </section>
  )
}

function Bar({ bar: { id, title, link }, isMember }: { bar: Bars[number]; isMember: boolean }) {
  const linked = 'inline-flex min-h-11 items-center font-semibold underline underline-offset-4'
  const isNotice = link === undefined
  return (
    <output className="flex min-h-11 items-center gap-3 py-1 pr-1 pl-4 text-sm">
      <Megaphone aria-hidden size={18} className="shrink-0 text-care-text" />
      <p className="min-w-0 flex-1 py-1.5 break-words">
        {link ? (
          <a href={link} className={linked}>
            {title}
          </a>
        ) : isNotice && isMember ? (
          <Link to="/notify/detail/$id" params={{ id }} className={linked}>
            {title}
          </Link>
        ) : (
          <span className="font-semibold">{title}</span>
        )}
      </p>
      <IconButton
        label={words.closeBar(title)}
        icon={<X size={20} />}
        onClick={() => void closeBarOf(id, isNotice && isMember)}
      />
    </output>
  )
}
