// NextSteps: the first actions after registering.
import { PenLine, Smartphone, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { accountText } from './text.ts'

const words = accountText.completed

interface NextStepsProps {
  /** Links. */
  profile: ReactNode
  post: ReactNode
}

export function NextSteps({ profile, post }: NextStepsProps) {
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="mb-1 text-sm font-semibold text-soft">
        {words.next}
      </h2>
      <ul className="divide-y divide-line">
        <Step icon={<UserRound aria-hidden size={22} />} title={profile} hint={words.profileHint} />
        <Step icon={<PenLine aria-hidden size={22} />} title={post} hint={words.postHint} />
        <Step icon={<Smartphone aria-hidden size={22} />} title={words.install} hint={words.installHint} />
      </ul>
    </section>
  )
}

function Step({ icon, title, hint }: { icon: ReactNode; title: ReactNode; hint: string }) {
  return (
    <li className="flex gap-3 py-3">
      <span className="mt-0.5 shrink-0 text-soft">{icon}</span>
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-soft">{hint}</p>
      </div>
    </li>
  )
}
