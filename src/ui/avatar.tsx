// Avatar: a person's picture, or the first character of the name.
import { useState } from 'react'
import { cx } from './cx.ts'

interface AvatarProps {
  name: string
  src: string | null
  size?: 28 | 40 | 48 | 88
  className?: string
}

const sizes = { 28: 'size-7 text-xs', 40: 'size-10 text-base', 48: 'size-12 text-lg', 88: 'size-22 text-2xl' }

// Most names begin with a letter that is a whole character; for others the rules of all languages are loaded, which is
// slow.
const alone = /^[\p{L}\p{N}](?!\u200d|[\p{M}\u1100-\u11ff\uff9e\uff9f])/u

function firstLetter(name: string): string | undefined {
  const [plain] = alone.exec(name) ?? []
  return plain ?? new Intl.Segmenter('ja').segment(name)[Symbol.iterator]().next().value?.segment
}

/** Decorative: the name is always beside it or labels its container. */
export function Avatar({ name, src, size = 40, className }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  return (
    <span
      aria-hidden
      className={cx(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-pill bg-sunk font-semibold text-soft select-none',
        sizes[size],
        className,
      )}
    >
      {src && broken !== src ? (
        <img
          src={src}
          alt=""
          width={size}
          height={size}
          decoding="async"
          onError={() => setBroken(src)}
          className="size-full object-cover"
        />
      ) : (
        // Drawn, not written: a letter would count as a visible label that the name of a link does not contain.
        <span data-letter={firstLetter(name.trim())} className="before:content-[attr(data-letter)]" />
      )}
    </span>
  )
}
