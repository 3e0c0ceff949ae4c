// Questions: questions that unfold to their answers, one of them by its anchor.
import { ChevronDown } from 'lucide-react'
import { Blocks, type Section } from './document.tsx'

interface QuestionsProps {
  questions: readonly Section[]
  /** The anchor in the URL. */
  open: string
}

export function Questions({ questions, open }: QuestionsProps) {
  return (
    <div className="border-t border-line">
      {questions.map((it) => (
        <details
          key={`${it.id}${it.id === open ? ' open' : ''}`}
          id={it.id}
          open={it.id === open}
          className="group scroll-mt-14 border-b border-line"
        >
          <summary className="flex min-h-14 list-none items-center gap-3 px-4 py-3 font-semibold hover:bg-sunk rail:px-8 [&::-webkit-details-marker]:hidden">
            <h2 className="min-w-0 flex-1 text-base">{it.title}</h2>
            <ChevronDown
              aria-hidden
              size={20}
              className="shrink-0 text-soft transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="px-4 pb-6 rail:px-8">
            <Blocks blocks={it.blocks} />
          </div>
        </details>
      ))}
    </div>
  )
}
