// FormError: the error of a whole form, announced by screen readers.
import { CircleAlert } from 'lucide-react'

export function FormError({ sentence }: { sentence: string | undefined }) {
  return (
    <div role="alert" className="empty:absolute">
      {sentence && (
        <p className="flex gap-2 rounded-field border border-seal-text px-3 py-2.5 text-seal-text">
          <CircleAlert aria-hidden size={20} className="mt-px shrink-0" />
          {sentence}
        </p>
      )}
    </div>
  )
}
