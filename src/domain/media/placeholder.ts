// The placeholder of a picture that is being loaded, decoded from its hash.
import { useEffect, useState, type CSSProperties } from 'react'
import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** After this the placeholder shows shapes in place of one colour, ms. */
const SHAPES_AFTER = 200

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
 * The background of a picture that is being loaded: its colour at once, its shapes after a moment. Decoding the shapes
 * takes a phone some milliseconds. Without a hash there is no background.
 * @param isLoading false once the picture is shown
 */
export function usePlaceholder(
  hash: string | undefined,
  fit: 'cover' | 'contain',
  isLoading: boolean,
): CSSProperties {
  const [image, setImage] = useState<string>()
  useEffect(() => {
    if (hash === undefined || !isLoading) return undefined
    const timer = setTimeout(() => setImage(imageOf(hash)), SHAPES_AFTER)
    return () => clearTimeout(timer)
  }, [hash, isLoading])
  if (hash === undefined || !isLoading) return {}
  // A picture that does not fill its box must not colour the rest of the box.
  if (image === undefined) return fit === 'cover' ? { backgroundColor: colourOf(hash) } : {}
  return {
    backgroundImage: image,
    backgroundSize: fit,
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
  }
}
