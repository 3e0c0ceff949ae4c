// PushBanner: offers pushes above the list of notifications.
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '#src/lib/online.ts'
import { usePushStatus } from '#src/domain/push/push.ts'
import { mayOfferPush, pushOffer } from '#src/domain/push/push-offer.ts'
import { pushText as words } from './text.ts'
import { Button } from '#src/ui/button.tsx'
import { usePushActions } from './push-actions.ts'

export function PushBanner({ ownerId }: { ownerId: string }) {
  const status = usePushStatus(ownerId)
  const actions = usePushActions(ownerId)
  const [shown, setShown] = useState(mayOfferPush)
  const online = useOnline()
  // Enabling requires the network.
  if (status !== 'off' || !shown || !online) return null
  return (
    <section aria-label={words.title} className="flex gap-3 border-b border-line bg-sunk px-4 py-3">
      <Bell aria-hidden size={20} className="mt-0.5 shrink-0 text-soft" />
      <div className="min-w-0 flex-1">
        <p>{words.status.off}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            size="small"
            busy={actions.busy === 'on'}
            busyLabel={words.busy}
            onClick={() => void actions.on()}
          >
            {words.turnOn}
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              pushOffer.close(true)
              setShown(false)
            }}
          >
            {words.later}
          </Button>
        </div>
      </div>
    </section>
  )
}
