// UploadSheet: all deliveries with their files and actions.
import { isFull } from '#device/database/database.ts'
import { connectionCheck } from '#src/domain/api/api.ts'
import { identityNoteText } from '#src/domain/posts/audience-text.ts'
import { trayText } from '#src/features/publish/text.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DeliveryMode } from '#src/sw-bridge.ts'
import { editAgain, nudge, changeDelivery } from '#src/sw-bridge.ts'
import { cx } from '#src/ui/cx.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { DeliveryView } from './delivery.ts'
import {
  amountOf,
  stateLineOf,
  mayRetry,
  needsPerson,
  continuationOf,
  reasonOf,
  titleOf,
  requiresIdentity,
} from './delivery-text.ts'
import { NoticeOffer } from './notice-offer.tsx'
import { StorageNote } from './storage-note.tsx'
import { UploadFile } from './upload-file.tsx'
import { text } from '#src/domain/text/text.ts'

const words = trayText

interface UploadSheetProps {
  deliveries: readonly DeliveryView[]
  mode: DeliveryMode | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called when a failed post is a draft again, to open the editor. */
  onEdit: (delivery: DeliveryView) => void
}

export function UploadSheet({ open, onOpenChange, deliveries, mode, onEdit }: UploadSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={titleOf(deliveries)} closeLabel={text.close}>
      {mode && deliveries.some((it) => it.status.is !== 'failed') && (
        <p className="mb-2 text-sm text-soft">{continuationOf(deliveries, mode)}</p>
      )}
      {deliveries.some((it) => it.status.is !== 'failed') && <NoticeOffer />}
      <ul>
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} onEdit={onEdit} />
        ))}
      </ul>
    </Sheet>
  )
}

function Delivery({ delivery, onEdit }: { delivery: DeliveryView; onEdit: UploadSheetProps['onEdit'] }) {
  const reason = reasonOf(delivery)
  return (
    <li className="border-t border-line py-4 first:border-t-0">
      <h3 className="truncate font-semibold">{delivery.title || words.untitled}</h3>
      <p className="mt-0.5 tabular-nums">{stateLineOf(delivery)}</p>
      {reason && (
        <p className={cx('mt-1 text-sm', needsPerson(delivery) ? 'text-seal-text' : 'text-soft')}>{reason}</p>
      )}
      {delivery.status.is === 'foreign' && (
        <a
          href={connectionCheck}
          target="_blank"
          rel="noreferrer"
          className={`${buttonClass('quiet', 'small')} mt-2`}
        >
          {text.checkConnection}
        </a>
      )}
      {delivery.status.is === 'failed' && delivery.status.code === 'storage_limit' && <StorageNote />}
      {requiresIdentity(delivery) && (
        <Link to="/user/verification" className={`${buttonClass('quiet', 'small')} mt-2`}>
          {identityNoteText.toVerification}
        </Link>
      )}
      {delivery.restarted && !reason && <p className="mt-1 text-sm text-soft">{words.restarted}</p>}
      {delivery.files.length > 0 && (
        <div className="mt-3">
          <ProgressLine
            label={stateLineOf(delivery)}
            value={delivery.percent}
            look={needsPerson(delivery) ? 'ink' : 'seal'}
          />
          <p className="mt-1.5 text-sm text-soft tabular-nums">{amountOf(delivery)}</p>
        </div>
      )}
      <ul className="mt-2">
        {delivery.files.map((file) => (
          <UploadFile
            key={file.id}
            file={file}
            onPause={() => void changeDelivery(delivery.id, { type: 'paused', fileId: file.id })}
            onResume={() => void changeDelivery(delivery.id, { type: 'resumed', fileId: file.id })}
            onRetry={() => void changeDelivery(delivery.id, { type: 'retried', fileId: file.id })}
            onPickAgain={(picked) => continueWith(file.id, picked)}
            onDrop={
              delivery.canDropFile
                ? () => void changeDelivery(delivery.id, { type: 'fileCancelled', fileId: file.id })
                : undefined
            }
          />
        ))}
      </ul>
      <DeliveryActions delivery={delivery} onEdit={onEdit} />
    </li>
  )
}

/** Continues a delivery with the file picked again, if it is the same. */
async function continueWith(mediaId: string, picked: File): Promise<boolean> {
  const { pickAgain } = await import('#src/features/publish/files/pick-again.ts')
  if (!(await pickAgain(mediaId, picked))) return false
  await nudge()
  return true
}

function DeliveryActions({
  delivery,
  onEdit,
}: {
  delivery: DeliveryView
  onEdit: UploadSheetProps['onEdit']
}) {
  const failed = delivery.status.is === 'failed'
  async function edit() {
    try {
      if (await editAgain(delivery.id)) onEdit(delivery)
    } catch (error) {
      if (!isFull(error)) throw error
      // The draft is stored, but its files have the ids of the refused uploads, so that it may be refused again.
      console.error('Upload error!', error)
      toast(words.notRenewed, 'error')
      onEdit(delivery)
    }
  }
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {delivery.forAll && (
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            void changeDelivery(delivery.id, { type: delivery.forAll === 'resume' ? 'resumed' : 'paused' })
          }
        >
          {words.forAll[delivery.forAll]}
        </Button>
      )}
      {delivery.canHurry && (
        <Button look="ink" size="small" onClick={() => void changeDelivery(delivery.id, { type: 'hurried' })}>
          {words.hurry}
        </Button>
      )}
      {mayRetry(delivery) && (
        <Button look="ink" size="small" onClick={() => void changeDelivery(delivery.id, { type: 'retried' })}>
          {words.retry}
        </Button>
      )}
      {failed && delivery.canCancel && delivery.kind !== 'message' && (
        <Button look="quiet" size="small" onClick={() => void edit()}>
          {delivery.kind === 'identity' ? words.identity.edit : words.edit}
        </Button>
      )}
      <Cancel delivery={delivery} />
    </div>
  )
}

/** The button that cancels a delivery, with its confirmation dialog. */
function Cancel({ delivery }: { delivery: DeliveryView }) {
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      {delivery.canCancel && (
        <Button
          look="danger"
          size="small"
          onClick={() => setConfirming(true)}
          className={delivery.status.is === 'failed' || delivery.forAll || delivery.canHurry ? '' : '-ml-4'}
        >
          {words.cancel}
        </Button>
      )}
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.cancelTitle}
        description={delivery.kind === 'post' ? words.cancelText : words[delivery.kind].cancelText}
        cancel={words.goOn}
        action={{
          label: words.cancelAct,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            void changeDelivery(delivery.id, { type: 'cancelled' })
          },
        }}
      />
    </>
  )
}
