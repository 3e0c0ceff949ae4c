// NumberGrid: the sums of a period, one cell each.
import type { Numbers } from '#contract/analytics/analytics.ts'
import { readersText } from './creator.ts'
import { creatorText as words } from './text.ts'

interface NumberGridProps {
  numbers: Numbers
  /** Whether the post has a video; numbers of all posts have that of videos too. */
  hasVideo?: boolean
  /** Whether it is for sale or for members; numbers of all posts have gates too. */
  hasGate?: boolean
}

export function NumberGrid({ numbers: it, hasVideo = true, hasGate = true }: NumberGridProps) {
  return (
    <dl className="flex flex-wrap border-t border-line">
      <Cell name="views" text={readersText(it.views)} />
      {hasGate && <Cell name="gates" text={readersText(it.gates)} />}
      {hasVideo && <Cell name="watched" text={readersText(it.watched)} />}
      <Cell name="likes" text={words.times(it.likes)} />
      <Cell name="comments" text={words.times(it.comments)} />
      {hasGate && <Cell name="purchases" text={words.times(it.purchases)} />}
    </dl>
  )
}

const hints: Partial<Record<keyof Numbers, string>> = words.hints

function Cell({ name, text }: { name: keyof Numbers; text: string }) {
  return (
    <div className="flex grow basis-1/2 flex-col border-b border-line px-4 py-3 rail:px-6 wide:basis-1/3">
      <dt className="text-sm font-semibold text-soft">
        {words.numbers[name]}
        {hints[name] !== undefined && <span className="block text-xs font-normal">{hints[name]}</span>}
      </dt>
      <dd className="mt-auto pt-1 text-xl font-semibold tabular-nums">{text}</dd>
    </div>
  )
}
