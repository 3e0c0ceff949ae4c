// PushSheet: offers pushes after a like, follow or comment.
import { pushOffer } from '#src/domain/push/push-offer.ts'
import { pushText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { usePushActions } from './push-actions.ts'

export function PushSheet({ ownerId }: { ownerId: string }) {
  const actions = usePushActions(ownerId)
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && pushOffer.close(true)}
      title={words.offerTitle}
      closeLabel={text.close}
      footer={
        <div className="flex flex-col gap-2">
          <Button
            look="seal"
            wide
            busy={actions.busy === 'on'}
            busyLabel={words.busy}
            onClick={() => void actions.on().then((end) => pushOffer.close(end !== 'on'))}
          >
            {words.turnOn}
          </Button>
          <Button look="quiet" wide onClick={() => pushOffer.close(true)}>
            {words.later}
          </Button>
        </div>
      }
    >
      <p className="pb-1">{words.offer}</p>
    </Sheet>
  )
}
