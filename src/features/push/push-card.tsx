// PushCard: the status of pushes on this device, with its actions.
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { usePushStatus } from '#src/domain/push/push.ts'
import { pushText as words } from './text.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { usePushActions } from './push-actions.ts'

export function PushCard({ ownerId }: { ownerId: string }) {
  const status = usePushStatus(ownerId)
  const actions = usePushActions(ownerId)
  const id = useId()
  const busyLabel = words.busy
  return (
    <section aria-labelledby={id} className="border-b border-line px-4 pt-5 pb-5">
      <h2 id={id} className="text-sm font-semibold text-soft">
        {words.title}
      </h2>
      <p className="mt-1">{words.status[status]}</p>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {status === 'off' && (
          <Button
            size="small"
            busy={actions.busy === 'on'}
            busyLabel={busyLabel}
            onClick={() => void actions.on()}
          >
            {words.turnOn}
          </Button>
        )}
        {status === 'on' && (
          <>
            <Button
              size="small"
              look="quiet"
              busy={actions.busy === 'test'}
              busyLabel={busyLabel}
              onClick={() => void actions.test()}
            >
              {words.test}
            </Button>
            <Button
              size="small"
              look="quiet"
              busy={actions.busy === 'off'}
              busyLabel={busyLabel}
              onClick={() => void actions.off()}
            >
              {words.turnOff}
            </Button>
          </>
        )}
        {status === 'install' && (
          <Link to="/help/general-information" hash="install" className={buttonClass('quiet', 'small')}>
            {words.installHow}
          </Link>
        )}
        {status === 'denied' && (
          <Link to="/help/notification" hash="not-shown" className={buttonClass('quiet', 'small')}>
            {words.helpDenied}
          </Link>
        )}
      </div>
    </section>
  )
}
