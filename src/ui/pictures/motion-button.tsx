// MotionButton: stops and plays the moving pictures below it.
import { Pause, Play } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'

interface MotionButtonProps {
  /** Undefined for pictures that do not move: there is no button. */
  motion: { readonly moves: boolean; readonly label: string; readonly toggle: () => void } | undefined
  look?: 'over' | 'over-small'
  /** Classes of its place. */
  className: string
}

export function MotionButton({ motion, look = 'over', className }: MotionButtonProps) {
  if (!motion) return null
  const Icon = motion.moves ? Pause : Play
  return (
    <IconButton
      look={look}
      label={motion.label}
      icon={<Icon aria-hidden size={look === 'over' ? 18 : 14} fill="currentColor" />}
      onClick={motion.toggle}
      className={className}
    />
  )
}
