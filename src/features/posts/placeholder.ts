// What stands where a picture will be: its own colours, from some thirty bytes that came with the post.
import { useMemo, type CSSProperties } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

function dataUrlOf(hash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(hash), (it) => it.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** The background of a picture that has not arrived; nothing where the server gave no hash. */
export function usePlaceholder(hash: string | undefined, fit: 'cover' | 'contain'): CSSProperties {
  return useMemo(() => {
    const url = hash === undefined ? undefined : dataUrlOf(hash)
    if (url === undefined) return {}
    return {
      backgroundImage: `url(${url})`,
      backgroundSize: fit,
      backgroundPosition: 'center',
      backgroundRepeat: 'no-repeat',
    }
  }, [hash, fit])
}
