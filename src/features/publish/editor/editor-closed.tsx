// EditorClosed: shown in place of the editor while the device's database cannot be opened.
import { publishText } from '#src/features/publish/text.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'

const words = publishText.closed

/** `blocked`: a tab with an older version holds the database open. `outdated`: a newer version has upgraded it. */
export type ClosedReason = 'outdated' | 'blocked' | 'failed'

export function EditorClosed({ why }: { why: ClosedReason }) {
  return (
    <div role="alert">
      <EmptyState
        drawing="letter"
        title={words[why].title}
        text={words[why].text}
        action={
          <Button look="ink" onClick={() => location.reload()}>
            {words.reload}
          </Button>
        }
      />
    </div>
  )
}
