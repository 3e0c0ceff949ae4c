// Notes of the steps: a problem, and tips for a good picture.
import { CircleAlert } from 'lucide-react'

/** Read out when it appears. */
export function Problem({ sentence }: { sentence: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {sentence && (
        <p className="flex gap-2 rounded-field border border-seal-text px-3 py-2.5 text-seal-text">
          <CircleAlert aria-hidden size={20} className="mt-px shrink-0" />
          {sentence}
        </p>
      )}
    </div>
  )
}

export function Tips({ tips }: { tips: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-soft">
      {tips.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  )
}
