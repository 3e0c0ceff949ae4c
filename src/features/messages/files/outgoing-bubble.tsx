// OutgoingBubble: an own message with files until the server has it.
import { CircleAlert, Clock, X } from 'lucide-react'
import { useState } from 'react'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { mayResend, messageRefusal } from '#src/domain/messages/refusal-text.ts'
import { megabytes } from '#src/lib/format.ts'
import { useOnline } from '#src/lib/online.ts'
import { changeDelivery } from '#src/sw-bridge.ts'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { messagesText } from '#src/features/messages/text.ts'
import { MediaGrid } from './media-grid.tsx'
import { FilePicture } from './picked-strip.tsx'
import type { OutgoingFiles } from './sending.ts'
import { messageFilesText as words } from './text.ts'

export function OutgoingBubble({ message }: { message: OutgoingFiles }) {
  const { content, files, status } = message
  return (
    <>
      {/* As wide as with the time and the menu that it has after its delivery. */}
      <div className="flex max-w-[85%] flex-row-reverse gap-1">
        <div className="min-w-0 rounded-[18px] border border-dashed border-edge px-3.5 py-2">
          <MediaGrid
            files={files.map((it, i) => ({
              id: it.id,
              isVideo: it.kind === 'video',
              shown: <FilePicture media={it} alt={words.fileOf(i + 1, files.length)} />,
            }))}
          />
          {content !== '' && (
            <p dir="auto" className="break-words whitespace-pre-wrap [unicode-bidi:plaintext]">
              {content}
            </p>
          )}
        </div>
        <span aria-hidden className="w-18 shrink-0" />
      </div>
      {status.is === 'failed' ? <Failed id={message.id} code={status.code} /> : <State message={message} />}
    </>
  )
}

function State({ message }: { message: OutgoingFiles }) {
  const { status, percent, sentBytes, bytes, isHeldByPage } = message
  const isOnTheWay = status.is === 'sending' || status.is === 'finishing'
  return (
    <div className="flex w-full max-w-[85%] flex-col items-end pt-1">
      {isOnTheWay && (
        <div className="w-full max-w-60">
          <ProgressLine
            label={words.progress(percent, `${megabytes(sentBytes)} / ${megabytes(bytes)}`)}
            value={percent}
            look="seal"
          />
        </div>
      )}
      <p className="flex items-center gap-1 pt-0.5 text-right text-xs text-soft tabular-nums">
        {!isOnTheWay && <Clock aria-hidden size={12} className="shrink-0" />}
        <StateLine message={message} />
      </p>
      {isHeldByPage && <p className="text-right text-xs text-seal-text">{words.keepOpen}</p>}
      <div className="flex gap-2">
        {status.is === 'paused' && (
          <Button
            look="quiet"
            size="small"
            onClick={() => void changeDelivery(message.id, { type: 'resumed' })}
          >
            {words.resume}
          </Button>
        )}
        {message.canCancel && <Cancel id={message.id} />}
      </div>
    </div>
  )
}

function StateLine({ message: { status, percent, sentBytes, bytes } }: { message: OutgoingFiles }) {
  const online = useOnline()
  switch (status.is) {
    case 'sending':
      return words.progress(percent, `${megabytes(sentBytes)} / ${megabytes(bytes)}`)
    case 'finishing':
      return messagesText.sending
    case 'waiting':
      return online ? words.waiting : mutationsText.waits.network
    case 'noRoom':
      return words.noRoom
    case 'foreign':
      return words.foreign
    case 'paused':
      return words.paused
    case 'away':
      return words.away
    case 'cancelling':
      return words.cancelling
    case 'failed':
      return messagesText.failed
    default:
      return status satisfies never
  }
}

/** The button that cancels a message, with its confirmation. */
function Cancel({ id }: { id: string }) {
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <Button
        look="danger"
        size="small"
        icon={<X aria-hidden size={16} />}
        className="-mr-3"
        onClick={() => setConfirming(true)}
      >
        {words.cancel}
      </Button>
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.cancelTitle}
        description={words.cancelText}
        cancel={words.goOn}
        action={{
          label: words.cancelAct,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            void changeDelivery(id, { type: 'cancelled' })
          },
        }}
      />
    </>
  )
}

type Failure = Extract<OutgoingFiles['status'], { is: 'failed' }>

function Failed({ id, code }: { id: string; code: Failure['code'] }) {
  return (
    <div role="alert" className="flex max-w-[85%] flex-col items-end pt-0.5">
      <p className="flex gap-1 text-sm text-seal-text">
        <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
        <span>
          {messagesText.failed}。{messageRefusal(code)}
        </span>
      </p>
      <p className="mt-1 flex gap-2">
        {mayResend(code) && (
          <Button look="quiet" size="small" onClick={() => void changeDelivery(id, { type: 'retried' })}>
            {messagesText.again}
          </Button>
        )}
        <Button look="danger" size="small" onClick={() => void changeDelivery(id, { type: 'cancelled' })}>
          {messagesText.drop}
        </Button>
      </p>
    </div>
  )
}
