// UploadFile: one file on its way: name, state, size, and pausing it.
import { CircleAlert, CircleCheck, Film, Image as ImageIcon, Pause, Play } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ProgressRing } from '#src/ui/progress.tsx'
import { fileLineOf } from './delivery-text.ts'
import type { UploadedFile } from './uploaded-file.ts'
import { publishText, trayText } from '#src/lib/text-publish.ts'

const words = trayText

interface UploadFileProps {
  file: UploadedFile
  onPause: () => void
  onResume: () => void
}

export function UploadFile({ file, onPause, onResume }: UploadFileProps) {
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
      <Act file={file} name={name} onPause={onPause} onResume={onResume} />
    </li>
  )
}

function Act({ file, name, onPause, onResume }: UploadFileProps & { name: string }) {
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
      return (
        <span className="grid size-11 place-items-center text-seal-text">
          <CircleAlert aria-hidden size={22} />
        </span>
      )
    default:
      return file.state satisfies never
  }
}
