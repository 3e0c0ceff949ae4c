// Unconverted: photos this device could not convert, each with the reason and what can be done.
import { mediaText } from '#src/domain/media/text.ts'
import { Button } from '#src/ui/button.tsx'
import type { EditorItem } from './editor-item.ts'

const words = mediaText

interface UnconvertedProps {
  items: readonly EditorItem[]
  onAgain: (mediaId: string) => void
  onSend: (mediaId: string) => void
  onRemove: (mediaId: string) => void
}

export function Unconverted({ items, onAgain, onSend, onRemove }: UnconvertedProps) {
  return (
    <div role="alert" className="px-4 rail:px-6">
      {items.map(({ media: { id, name, conversion } }) => {
        if (conversion.is !== 'failed') return null
        // The server converts HEIC; what else fails here is no picture it could read.
        const mayBeSent = conversion.format === 'heic'
        return (
          <div key={id} className="mt-3">
            <p className="text-sm text-seal-text">
              {`${name}：${words.unconvertedWhy[conversion.why]}${words.unconvertedKept}`}
              {mayBeSent && words.sendAsPickedHint}
            </p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Choice act={words.convertAgain} name={name} onPress={() => onAgain(id)} />
              {mayBeSent && <Choice act={words.sendAsPicked} name={name} onPress={() => onSend(id)} />}
              <Choice act={words.dropPicked} name={name} onPress={() => onRemove(id)} isDanger />
            </div>
          </div>
        )
      })}
    </div>
  )
}

interface ChoiceProps {
  act: string
  name: string
  onPress: () => void
  isDanger?: boolean
}

function Choice({ act, name, onPress, isDanger = false }: ChoiceProps) {
  return (
    <Button
      look={isDanger ? 'danger' : 'quiet'}
      size="small"
      aria-label={words.forPhoto(act, name)}
      onClick={onPress}
    >
      {act}
    </Button>
  )
}
