// UploadFile: one file of a delivery, with its state and actions.
import { CircleAlert, CircleCheck, Film, Image as ImageIcon, Pause, Play, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ProgressRing } from '#src/ui/states/progress.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { text } from '#src/domain/text/text.ts'
import { fileLineOf, isTemporary } from './delivery-text.ts'
import type { UploadedFile } from './uploaded-file.ts'
import { publishText, trayText } from '#src/features/publish/text.ts'
import { acceptedMedia } from '#src/domain/media/accepted.ts'

const words = trayText

interface UploadFileProps {
  file: UploadedFile
  onPause: () => void
  onResume: () => void
  onRetry: () => void
  /** Called with the file that was picked again. @returns false if it is another file */
  onPickAgain: (picked: File) => Promise<boolean>
  /** Removes the file from the post; undefined if that is not possible. */
  onDrop: (() => void) | undefined
}

export function UploadFile(props: UploadFileProps) {
  const { file, onDrop } = props
  const KindIcon = file.kind === 'video' ? Film : ImageIcon
  const name = file.name || publishText.media
  return (
    <li className="flex min-h-14 items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center text-soft">
        {file.state === 'started' || file.state === 'paused' ? (
          <ProgressRing
            label={name}
            value={file.progress.percentage}
            look={file.state === 'started' ? 'seal' : 'ink'}
          />
        ) : (
          <KindIcon aria-hidden size={22} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span className="block text-sm text-soft tabular-nums">{fileLineOf(file)}</span>
      </span>
      {file.bytesAt === 'lost' && !file.progress.uploadComplete ? (
        <PickAgain {...props} name={name} />
      ) : (
        <FileAction {...props} name={name} />
      )}
      {onDrop && <Drop name={name} onDrop={onDrop} />}
    </li>
  )
}

/** Input for a lost file, which the person has to pick again. */
function PickAgain({ name, onPickAgain }: Pick<UploadFileProps, 'onPickAgain'> & { name: string }) {
  const [busy, setBusy] = useState(false)
  const again = async (picked: File) => {
    setBusy(true)
    try {
      if (!(await onPickAgain(picked))) toast(words.notTheSame, 'error')
    } catch (error) {
      console.error(error)
      toast(publishText.fileProblem.unreadable, 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <label className={cx(buttonClass('ink', 'small'), 'has-focus-visible:outline-2')}>
      {busy ? <Spinner label={text.working} /> : words.pickAgainShort}
      <input
        type="file"
        accept={acceptedMedia}
        aria-label={words.pickAgain(name)}
        disabled={busy}
        className="sr-only"
        onChange={(event) => {
          const [picked] = event.target.files ?? []
          if (picked) void again(picked)
          event.target.value = ''
        }}
      />
    </label>
  )
}

function Drop({ name, onDrop }: { name: string; onDrop: () => void }) {
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <IconButton label={words.drop(name)} icon={<X size={20} />} onClick={() => setConfirming(true)} />
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.dropTitle}
        description={words.dropText(name)}
        cancel={words.goOn}
        action={{
          label: words.dropAct,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            onDrop()
          },
        }}
      />
    </>
  )
}

function FileAction({ file, name, onPause, onResume, onRetry }: UploadFileProps & { name: string }) {
  switch (file.state) {
    case 'new':
    case 'started':
      return <IconButton label={words.pause(name)} icon={<Pause size={20} />} onClick={onPause} />
    case 'paused':
      return <IconButton label={words.resume(name)} icon={<Play size={20} />} onClick={onResume} />
    case 'complete':
    case 'processing':
      return (
        <span className="grid size-11 place-items-center text-good-text">
          <CircleCheck aria-hidden size={22} />
        </span>
      )
    case 'errored':
      if (file.failedAlone && (file.error === null || isTemporary(file.error))) {
        return <IconButton label={words.retryFile(name)} icon={<RotateCw size={20} />} onClick={onRetry} />
      }
      return (
        <span className="grid size-11 place-items-center text-seal-text">
          <CircleAlert aria-hidden size={22} />
        </span>
      )
    default:
      return file.state satisfies never
  }
}
