// Brand: the mark and the name beside it.
import { SealMark } from './seal-mark.tsx'

export function Brand({ name }: { name: string }) {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <SealMark />
      <span className="text-lg font-semibold">{name}</span>
    </span>
  )
}
