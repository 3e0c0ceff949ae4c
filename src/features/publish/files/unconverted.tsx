// Unconverted: photos that could not be converted, with the reason and actions.
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
        // The server can convert a HEIC, but no other picture that fails here.
        const mayBeSent = conversion.format === 'heic'
        return (
          <div key={id} className="mt-3">
            <p className="text-sm text-seal-text">
              {`${name}：${words.unconvertedWhy[conversion.why]}${words.unconvertedKept}`}
              {mayBeSent && words.sendAsPickedHint}
            </p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Choice action={words.convertAgain} name={name} onPress={() => onAgain(id)} />
              {mayBeSent && <Choice action={words.sendAsPicked} name={name} onPress={() => onSend(id)} />}
              <Choice action={words.dropPicked} name={name} onPress={() => onRemove(id)} isDanger />
            </div>
          </div>
        )
      })}
    </div>
  )
}

interface ChoiceProps {
  action: string
  name: string
  onPress: () => void
  isDanger?: boolean
}

function Choice({ action, name, onPress, isDanger = false }: ChoiceProps) {
  return (
    <Button
      look={isDanger ? 'danger' : 'quiet'}
      size="small"
      aria-label={words.forPhoto(action, name)}
      onClick={onPress}
    >
      {action}
    </Button>
  )
}
