// The placeholder of a picture: its colours, from about thirty bytes of the post.
import { useEffect, useState, type CSSProperties } from 'react'
import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** A picture that comes within this needs no more than one colour in its place, ms. */
const SOON = 200

const bytesOf = (hash: string) => Uint8Array.from(atob(hash), (it) => it.charCodeAt(0))

function colourOf(hash: string): string | undefined {
  try {
    const { r, g, b, a } = thumbHashToAverageRGBA(bytesOf(hash))
    return `rgb(${[r, g, b].map((it) => Math.round(it * 255)).join(' ')} / ${a.toFixed(2)})`
  } catch {
    return undefined
  }
}

function imageOf(hash: string): string | undefined {
  try {
    return `url(${thumbHashToDataURL(bytesOf(hash))})`
  } catch {
    return undefined
  }
}

/**
 * The background of a picture that has not arrived: its colour at once, its shapes when it takes longer, for those cost
 * a phone some milliseconds each. Nothing where the server gave no hash.
 * @param wanted false once the picture is there
 */
export function usePlaceholder(
  hash: string | undefined,
  fit: 'cover' | 'contain',
  wanted: boolean,
): CSSProperties {
  const [image, setImage] = useState<string>()
  useEffect(() => {
    if (hash === undefined || !wanted) return undefined
    const timer = setTimeout(() => setImage(imageOf(hash)), SOON)
    return () => clearTimeout(timer)
  }, [hash, wanted])
  if (hash === undefined || !wanted) return {}
  // A picture that fills its box is its colour all over; of others the box is no part.
  if (image === undefined) return fit === 'cover' ? { backgroundColor: colourOf(hash) } : {}
  return {
    backgroundImage: image,
    backgroundSize: fit,
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
  }
}
