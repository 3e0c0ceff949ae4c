// heic2any, for where our own worker cannot start. Some photos make it wait for ever, so it gets a time.
// Under our own Content-Security-Policy its blob worker is refused and it ends without a picture.

const PATIENCE_MS = 20_000

/** A JPEG; undefined when it fails, or is not ready in its time. */
export async function lastResort(file: Blob): Promise<Blob | undefined> {
  try {
    const made = await Promise.race([convert(file), patience()])
    return made && made.size > 0 ? made : undefined
  } catch {
    return undefined
  }
}

async function convert(file: Blob): Promise<Blob | undefined> {
  const { default: heic2any } = await import('heic2any')
  const made = await heic2any({ blob: file, toType: 'image/jpeg', quality: 0.85 })
  return Array.isArray(made) ? made[0] : made
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS))
}
