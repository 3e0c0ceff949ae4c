// StepHead: the number of a step of three, and its heading.
import type { ReactNode } from 'react'
import { accountText } from './text.ts'

export function StepHead({ now, children }: { now: 1 | 2 | 3; children: ReactNode }) {
  return (
    <div className="mb-5">
      <p className="mb-1 text-sm text-soft tabular-nums">{accountText.forgot.step(now)}</p>
      <p>{children}</p>
    </div>
  )
}
