// KeysSheet: the keys of a list of the administration.
import { text } from '#src/domain/text/text.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'

const words = {
  title: 'キーボード操作',
  keys: [
    ['j', '次の行へ'],
    ['k', '前の行へ'],
    ['Enter / e', '行を開く'],
    ['?', 'この一覧を表示'],
  ],
} as const

interface KeysSheetProps {
  open: boolean
  onClose: () => void
  /** Each key with what it does; those of a list by default. */
  keys?: readonly (readonly [key: string, what: string])[]
}

export function KeysSheet({ open, onClose, keys = words.keys }: KeysSheetProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.title}
      closeLabel={text.close}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 pb-4">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-field border border-line bg-sunk px-2 py-0.5 font-sans text-sm">
                {key}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
