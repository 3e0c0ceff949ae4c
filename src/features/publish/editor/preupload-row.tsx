// PreuploadRow: switches preupload on or off, and shows its progress.
import { CloudUpload } from 'lucide-react'
import type { Draft } from '#device/database/schema.ts'
import { useOnline } from '#src/lib/online.ts'
import { preuploadText } from '#src/features/publish/text.ts'
import { Switch } from '#src/ui/fields/switch.tsx'
import { usePreupload, type PreuploadState } from './use-preupload.ts'

const words = preuploadText

interface PreuploadRowProps {
  draft: Draft
  /** Ids of the files that are converted. */
  ready: readonly string[]
}

export function PreuploadRow({ draft, ready }: PreuploadRowProps) {
  const { enabled, saveData, state, choose } = usePreupload(draft, ready)
  const online = useOnline()
  return (
    <div className="border-b border-line">
      <Switch
        icon={<CloudUpload aria-hidden size={22} />}
        label={words.label}
        hint={saveData ? words.saving : hintOf(state, online)}
        checked={enabled && !saveData}
        disabled={saveData}
        onChange={choose}
      />
    </div>
  )
}

function hintOf(state: PreuploadState, online: boolean): string {
  switch (state.is) {
    case 'idle':
      return words.hint
    case 'sending':
      return words.sending(state.percent)
    case 'waiting':
      return words.waiting(state.percent)
    case 'noRoom':
      return words.noRoom(state.percent)
    case 'foreign':
      return words.foreign(state.percent)
    case 'done':
      return online ? words.done : words.doneOffline
    default:
      return state satisfies never
  }
}
