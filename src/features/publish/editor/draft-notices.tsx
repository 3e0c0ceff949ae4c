// DraftNotices: changes of the draft in other tabs, and why a submission failed.
import { writtenText } from '#device/drafts/draft-merge.ts'
import { CircleAlert, Info } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { Draft } from '#device/database/schema.ts'
import { publishText } from '#src/features/publish/text.ts'
import { Button } from '#src/ui/button.tsx'
import type { OpenEditor } from './use-editor.ts'

const words = publishText

export function DraftNotices({ editor, state }: OpenEditor) {
  const { unsent } = state
  return (
    <>
      {/* The alert of section 8 is a toast. */}
      <Unsent sentence={unsent === null || unsent === 'failed' ? undefined : words.unsent[unsent]} />
      {state.conflict && (
        <Conflict stored={state.conflict} onChoose={(version) => void editor.choose(version)} />
      )}
      <output className="block">
        {state.discarded && (
          <p className="mx-4 mt-3 flex gap-2 rounded-field bg-sunk p-3 text-sm rail:mx-6">
            <Info aria-hidden size={18} className="mt-0.5 shrink-0 text-info-text" />
            {words.discardedElsewhere}
          </p>
        )}
      </output>
    </>
  )
}

function Unsent({ sentence }: { sentence: string | undefined }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (sentence !== undefined) box.current?.scrollIntoView({ block: 'center' })
  }, [sentence])
  return (
    <div ref={box} role="alert">
      {sentence !== undefined && (
        <p className="mx-4 mt-3 flex gap-2 rounded-field bg-sunk p-3 text-sm text-seal-text rail:mx-6">
          <CircleAlert aria-hidden size={18} className="mt-0.5 shrink-0" />
          {sentence}
        </p>
      )}
    </div>
  )
}

interface ConflictProps {
  /** The draft that the other tab stored. */
  stored: Draft
  onChoose: (version: 'shown' | 'stored') => void
}

function Conflict({ stored, onChoose }: ConflictProps) {
  const id = useId()
  return (
    <fieldset
      aria-labelledby={`${id}-title`}
      className="mx-4 mt-3 rounded-media border border-edge p-4 rail:mx-6"
    >
      <div role="alert">
        <p id={`${id}-title`} className="font-semibold">
          {words.conflict.title}
        </p>
        <p className="mt-1 text-sm text-soft">{words.conflict.text}</p>
      </div>
      <p className="mt-3 text-sm font-semibold">{words.conflict.label}</p>
      <p
        dir="auto"
        // A long text scrolls, also by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-1 max-h-40 overflow-y-auto rounded-field bg-sunk p-3 break-words whitespace-pre-wrap [unicode-bidi:plaintext]"
      >
        {writtenText(stored) || words.conflict.empty}
      </p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Button look="ink" size="small" onClick={() => onChoose('shown')}>
          {words.conflict.chooseShown}
        </Button>
        <Button look="quiet" size="small" onClick={() => onChoose('stored')}>
          {words.conflict.chooseStored}
        </Button>
      </p>
    </fieldset>
  )
}
