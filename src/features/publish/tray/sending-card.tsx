// SendingCard: an own post in the feed, during its upload.
import type { SessionUser } from '#contract/accounts/session.ts'
import { trayText } from '#src/features/publish/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { stateLineOf } from './delivery-text.ts'
import type { DeliveryView } from './delivery.ts'

export function SendingCard({ delivery, me }: { delivery: DeliveryView; me: SessionUser }) {
  const { content, files, percent, status } = delivery
  const waits = status.is === 'waiting' || status.is === 'foreign'
  return (
    <article
      aria-label={trayText.ownPost}
      className="flex flex-col gap-3 border-b border-line bg-sunk/40 py-4 rail:py-6"
    >
      <header className="flex items-center gap-3 px-4 rail:px-6">
        <Avatar name={me.name} src={me.avatar_url} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{me.name}</p>
          <p className="text-sm text-soft tabular-nums">{stateLineOf(delivery)}</p>
        </div>
        <Badge>{waits ? trayText.waitingMark : trayText.sendingMark}</Badge>
      </header>
      {content.trim() !== '' && (
        <div className="px-4 rail:px-6">
          <Prose text={content} className="clamp-5" />
        </div>
      )}
      {files.length > 0 && (
        <p className="truncate px-4 text-sm text-soft rail:px-6">{files.map((it) => it.name).join('、')}</p>
      )}
      {files.length > 0 && (
        <div className="px-4 rail:px-6">
          <ProgressLine label={trayText.ownPost} value={percent} look={waits ? 'ink' : 'seal'} />
        </div>
      )}
    </article>
  )
}
