// LostState: what is not there, or not there for this viewer; both look alike. One way leads on.
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

interface LostStateProps {
  title: string
  text: string
  /** Where one can go instead. */
  way: { to: NonNullable<LinkProps['to']>; label: string }
  /** Another act beside it. */
  act?: ReactNode
  /** The page's own heading, when nothing else on it is one. */
  heading?: 'h1' | 'h2'
}

export function LostState({ way, act, ...said }: LostStateProps) {
  return (
    <EmptyState
      drawing="lost"
      {...said}
      act={
        <div className="flex flex-wrap justify-center gap-2">
          {act}
          <Link to={way.to} className={buttonClass('quiet')}>
            {way.label}
          </Link>
        </div>
      }
    />
  )
}
