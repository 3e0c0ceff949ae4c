// Picture: an image in the displayed width, or a text when loading fails.
import { useState } from 'react'
import { isPanorama, isStrip } from '#contract/kinds/long-pictures.ts'
import type { ImageView } from '#contract/posts/media.ts'
import { sidesOf } from '#src/domain/media/long-views.ts'
import { useStill } from '#src/domain/media/motion.ts'
import { useFailedSource } from '#src/lib/failed-source.ts'
import { cx } from '#src/ui/cx.ts'
import { usePlaceholder } from '#src/domain/media/placeholder.ts'
import { text } from '#src/domain/text/text.ts'

interface PictureProps {
  image: ImageView
  label: string
  /** Its displayed width, as in the `sizes` attribute. */
  sizes: string
  /** Fills its box cropped, or is shown whole. */
  fit: 'cover' | 'contain'
  eager?: boolean
  className?: string
}

export function Picture({ image, label, sizes, fit, eager = false, className }: PictureProps) {
  // By URL, since a later URL of the server may load.
  const [loaded, setLoaded] = useState<string>()
  const still = useStill()(image)
  const largest = image.sources.at(-1)
  const src = still ?? largest?.src
  const [isFailed, fail] = useFailedSource(src)
  // Removed after loading, since a picture may be transparent.
  const placeholder = usePlaceholder(image.placeholder, fit, loaded === undefined || loaded !== src)
  if (src === undefined || isFailed) return <Broken className={className} />
  return (
    <img
      src={src}
      {...(still === undefined && {
        srcSet: image.sources.map((it) => `${it.src} ${it.width}w`).join(', '),
        sizes: fit === 'cover' ? coveringSizes(image, sizes) : sizes,
      })}
      alt={image.alt ? `${image.alt}（${label}）` : label}
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      onLoad={() => setLoaded(src)}
      onError={fail}
      style={placeholder}
      className={cx(
        'size-full bg-sunk',
        fit === 'contain' ? 'object-contain' : isTall(image) ? 'object-cover object-top' : 'object-cover',
        className,
      )}
    />
  )
}

const isTall = (image: ImageView): boolean => isStrip(sidesOf(image))

/** Whether a picture is so long that it is shown whole in the viewer alone. */
export const isLong = (image: ImageView): boolean => isTall(image) || isPanorama(sidesOf(image))

/** The `sizes` of a picture that covers a box of 2:1: a panorama is as wide as its height needs. */
function coveringSizes(image: ImageView, sizes: string): string {
  const { width, height } = sidesOf(image)
  if (!isPanorama({ width, height })) return sizes
  return sizes.replaceAll(
    /(\d{1,4})(px|vw)(?=,|$)/g,
    (_, size: string, unit: string) => `${Math.round((Number(size) * width) / height / 2)}${unit}`,
  )
}

/** A failed image without a source, with the alternative text of section 8. */
export function Broken({ className }: { className: string | undefined }) {
  return (
    <span className={cx('grid size-full min-h-32 place-items-center bg-sunk text-sm text-soft', className)}>
      <img alt={text.posts.brokenMedia} />
    </span>
  )
}
